import { type PodSpec, recommended, textAt, valueAt } from '../../api';
import { type KubernetesObject, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { callApiServer } from './api-calls';
import { CanaryFailure, StepNotApplicableError } from './canary-failure';
import { type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';
import { platformCause } from './diagnose';
import { missingFrom, templateIn } from './environment-check';
import { isApiError } from '../../kube';
import { listKinds, podOwnerKinds, workloadSelector } from './workload-objects';
import { nativeObjects } from './synth-deployer';

/** Workload under test and its context. */
export interface CheckContext {
  readonly deps: CanaryDeps;
  readonly context: ProjectContext;
  readonly workload: CanaryInput;
}

const listOf = (
  { deps: { client, project }, workload }: CheckContext,
  kinds: readonly string[],
): Promise<LiveObject[]> =>
  callApiServer(listKinds(client, kinds, project, workloadSelector(workload.kind, workload.metadata.name)));

/** Returns whether pods, or their templates, contain everything that the current runtime profile adds. Throws a `CanaryFailure` if not. */
export async function checkEnvironment(check: CheckContext): Promise<boolean> {
  const desired = nativeObjects(check.workload, check.context).flatMap(podSpecOf);
  const pods = (await listOf(check, ['Pod'])).map((pod) => pod['spec'] as PodSpec);
  const live = pods.length > 0 ? pods : (await listOf(check, podOwnerKinds)).flatMap(podSpecOf);
  const [expected] = desired;
  if (!expected || live.length === 0) return false;
  const missing = live.flatMap((spec) => missingFrom(spec, expected));
  if (missing.length === 0) return true;
  const message = `pods lack parts of runtime profile ${check.context.profile.metadata.name}: ${[...new Set(missing)].join(', ')}`;
  const cause = platformCause('runtime-profile', message, 'check webhooks that mutate pods, and the controller');
  throw new CanaryFailure(message, { cause });
}

const podSpecOf = (object: KubernetesObject | LiveObject): PodSpec[] => {
  const spec = templateIn(object)?.spec;
  return spec ? [spec] : [];
};

/** Returns whether all pod owners have the workload's version. */
export async function isOfVersion(check: CheckContext): Promise<boolean> {
  const live = await listOf(check, podOwnerKinds);
  const version = valueAt(check.workload, ['spec', 'version']);
  return live.length > 0 && live.every(({ metadata }) => metadata.labels?.[recommended.version] === version);
}

/** Returns whether the DNS name of the workload's Service resolves to its address or to its pods. */
export async function checkNames(check: CheckContext): Promise<boolean> {
  const { dnsResolver, clusterDomain, project } = check.deps;
  if (!dnsResolver) throw new StepNotApplicableError('no name server is configured');
  const [service] = await listOf(check, ['Service']);
  if (!service) return false;
  const address = textAt(service, 'spec', 'clusterIP');
  const name = `${service.metadata.name}.${project}.svc.${clusterDomain}`;
  const found = await addressesOf(dnsResolver, name);
  if (address === undefined || address === 'None') return found.length > 0;
  if (found.includes(address)) return true;
  if (found.length === 0) return false;
  const message = `${name} resolves to ${found.join(', ')}, but its Service has ${address}`;
  throw new CanaryFailure(message, { call: { service: 'dns', status: 200, message } });
}

async function addressesOf({ name: server, addresses }: NonNullable<CanaryDeps['dnsResolver']>, name: string) {
  try {
    return await addresses(name);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // The record may not exist yet.
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    const message = `${name} at ${server}: ${typeof code === 'string' ? code : String(error)}`;
    throw new CanaryFailure(message, { call: { service: 'dns', status: 0, message } }, { cause: error });
  }
}

/** Returns whether the workload's Ingress exists. Throws a `CanaryFailure` if its class does not exist. */
export async function checkIngress(check: CheckContext): Promise<boolean> {
  const { ingress } = check.context.platform.spec;
  if (!ingress?.internal) throw new StepNotApplicableError('the Platform has no internal ingress');
  const [live] = await listOf(check, ['Ingress']);
  if (!live) return false;
  const className = textAt(live, 'spec', 'ingressClassName') ?? '';
  const path = `/apis/networking.k8s.io/v1/ingressclasses/${encodeURIComponent(className)}`;
  try {
    await check.deps.client.request('GET', path);
    return true;
  } catch (error) {
    if (!isApiError(error, 404)) return callApiServer(Promise.reject(error as Error));
    const message = `IngressClass ${className}, the Platform's internal ingress class, does not exist`;
    const cause = platformCause(
      'ingress',
      message,
      'reinstall the ingress controller, or correct spec.ingress of the Platform',
    );
    throw new CanaryFailure(message, { cause }, { cause: error });
  }
}

const registrar = 'pinion-traffic';

/** Returns whether the pod's registrar reports the pod as registered. */
export async function checkRegistration(check: CheckContext): Promise<boolean> {
  const { client, project } = check.deps;
  const pods = await callApiServer(
    listAllPages(client, 'Pod', {
      namespace: project,
      labelSelector: workloadSelector(check.workload.kind, check.workload.metadata.name),
    }),
  );
  if (pods.length === 0) return false;
  const [pod] = pods;
  const port = pod && portOf(pod['spec'] as PodSpec);
  if (pod === undefined || port === undefined)
    throw new StepNotApplicableError('the runtime profile has no registrar here');
  const path = `/api/v1/namespaces/${project}/pods/${pod.metadata.name}:${port}/proxy/ready`;
  try {
    await client.request('GET', path, undefined, { timeout: 10_000, retries: 0 });
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { status, message } = error;
    throw new CanaryFailure(
      message,
      { call: { service: 'registrar', status, message }, waitedFor: 'registration' },
      { cause: error },
    );
  }
}

const portOf = (spec: PodSpec): number | undefined =>
  [...(spec.initContainers ?? []), ...(spec.containers ?? [])].find(({ name }) => name === registrar)?.ports?.[0]
    ?.containerPort;

/** Returns whether the workload, its objects and its pods are deleted. */
export async function isGone(check: CheckContext): Promise<boolean> {
  const { deps, workload } = check;
  if (await callApiServer(deps.client.get(resourceOf(workload.kind), workload.metadata))) return false;
  return (await listOf(check, [...podOwnerKinds, 'Pod'])).length === 0;
}
