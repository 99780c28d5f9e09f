import { type CauseReason } from '../reasons';
import { isPlatformContainer, type Diagnosis } from './cause';
import { type ContainerIssue, type PodFacts } from '../observed/pod-facts';

const imagePullReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

type ImageReason = Extract<CauseReason, `Image${string}` | 'InvalidImageName'>;

/** Returns whether a container waits because of its image. */
export const isImageIssue = (waiting: string): boolean => imagePullReasons.has(waiting);

/** Returns why an image cannot be pulled: it does not exist, access is denied, or its registry is unreachable. */
export function imageDiagnosis({ name, namespace }: PodFacts, issue: ContainerIssue): Diagnosis {
  const { container, image = 'of the container', waiting = '', message = '' } = issue;
  const owner = isPlatformContainer(container) ? 'platform' : 'application';
  const subject = `Image ${image} of container ${container}`;
  const sentence = (problem: string, remedy: string): string => `${subject} in Pod ${name} ${problem}. ${remedy}`;
  const diagnosis = (reason: ImageReason, problem: string, remedy: string): Diagnosis => ({
    owner,
    reason,
    message: sentence(problem, remedy),
  });
  if (waiting === 'InvalidImageName') {
    return diagnosis('InvalidImageName', 'has an invalid name', 'Correct the image name.');
  }
  if (waiting === 'ErrImageNeverPull') {
    return diagnosis(
      'ImageMissing',
      'is not on the node, and its pull policy is Never',
      'Use the policy IfNotPresent.',
    );
  }
  if (waiting === 'SignatureValidationFailed') {
    return diagnosis('ImageSignature', 'has no valid signature', 'Sign the image, or use one that is signed.');
  }
  if (/may require authorization|repository does not exist/i.test(message)) {
    const remedy =
      'Check its name and tag; if they are correct, let the registry allow the nodes to pull it, or set a pull secret.';
    return diagnosis('ImagePullUnauthorized', 'does not exist or may not be pulled without credentials', remedy);
  }
  if (/\b40[13]\b|unauthori[sz]ed|forbidden|denied|authentication required|insufficient_scope/i.test(message)) {
    const remedy = 'Let the registry allow the nodes to pull it, or set a pull secret with access.';
    return diagnosis('ImagePullUnauthorized', 'cannot be pulled: the registry rejected the credentials', remedy);
  }
  if (/\b429\b|too ?many ?requests|rate limit/i.test(message)) {
    const remedy = 'Wait, or pull it through a mirror.';
    const message = sentence('cannot be pulled: the registry limits the request rate', remedy);
    return { owner: 'platform', reason: 'RegistryLimits', message };
  }
  if (/not found|NotFound|manifest unknown|name unknown|does not exist/.test(message) && !isUnreachable(message)) {
    return diagnosis(
      'ImageNotFound',
      'does not exist in its registry',
      'Check its name and tag, and that it was pushed.',
    );
  }
  if (isUnreachable(message) || waiting === 'RegistryUnavailable') {
    const remedy = "Check the registry's name; if it is correct, the nodes cannot reach it.";
    const problem = `cannot be pulled: its registry is unreachable (${rootCauseOf(message)})`;
    return { owner: 'platform', reason: 'RegistryUnreachable', message: sentence(problem, remedy) };
  }
  const remedy = `See \`kubectl describe pod ${name} -n ${namespace}\` for the response of the registry.`;
  return diagnosis('ImageNotPulled', 'cannot be pulled', remedy);
}

const isUnreachable = (message: string): boolean =>
  /no such host|i\/o timeout|connection (refused|reset|timed out)|network is unreachable|no route to host|TLS handshake|x509|deadline exceeded|\bEOF\b|server misbehaving|Temporary failure|\b50[0234]\b/i.test(
    message,
  );

/** Returns the last part of an error chain, the root cause. */
const rootCauseOf = (message: string): string =>
  message.split(': ').slice(-2).join(': ').slice(0, 200) || 'no response';
