import { isWorkloadKind, parseDuration, type Problem, type WorkloadKind } from '../../api';
import { parseStoreLocation } from '../../artifact';
import { canaryDeploymentPaths, canaryVariables } from '../../programs';
import {
  type CanaryDeploymentPath,
  canaryKinds,
  type CanaryStep,
  canarySteps,
  defaultStepLimits,
} from './canary-steps';

/** Settings of the submission path. */
export interface CanarySubmissionSettings {
  readonly url: string;
  /** Token file. */
  readonly tokenFile: string;
  /** Artifact store: a folder, or s3://BUCKET/PREFIX. */
  readonly store: string;
  /** Private signing key, in PEM. */
  readonly key: string;
  readonly issuer: string;
  readonly repository: string;
  readonly ref: string;
  /** Cluster name in the service. */
  readonly target: string;
}

/** Settings from the environment. */
export interface CanarySettings {
  /** Namespace of its report. */
  readonly namespace: string;
  readonly sandbox: string;
  readonly image: string;
  readonly kinds: readonly WorkloadKind[];
  readonly deploymentPaths: readonly CanaryDeploymentPath[];
  readonly limits: Readonly<Record<CanaryStep, number>>;
  readonly clusterDomain: string;
  /** `pod` for the pod's own name servers, or addresses. */
  readonly nameServers: 'none' | 'pod' | readonly string[];
  readonly pushgateway: URL | undefined;
  readonly submission: CanarySubmissionSettings | undefined;
}

type Name = keyof typeof canaryVariables;
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the canary's settings, or returns all problems with them; no problem contains a key or URL. */
export function readCanarySettings(
  environment: Environment,
): { readonly settings: CanarySettings } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const addProblem = (name: Name, reason: string, remedy: string, code: Problem['code'] = 'bad-format'): void =>
    void problems.push({ code, object: 'environment', path: [name], reason, remedy });
  const required = (name: Name): string => {
    const text = environment[name] ?? '';
    if (text === '') addProblem(name, 'is missing', canaryVariables[name], 'required');
    return text;
  };
  const url = (name: Name): URL | undefined => {
    const text = environment[name];
    if (!text) return undefined;
    const found = URL.canParse(text) ? new URL(text) : undefined;
    if (found && /^https?:$/.test(found.protocol)) return found;
    addProblem(name, 'must be an http or https URL', 'use a URL such as https://push.example.com');
    return undefined;
  };
  const store = (): string => {
    const text = required('CANARY_ARTIFACT_STORE');
    if (!parseStoreLocation(text))
      addProblem('CANARY_ARTIFACT_STORE', 'is not an artifact store', 'use s3://BUCKET or s3://BUCKET/PREFIX');
    return text;
  };
  const choice = <T extends string>(name: Name, known: readonly T[]): readonly T[] => {
    const values = listOf(environment[name]);
    const unknown = values.find((value) => !known.includes(value as T));
    if (unknown !== undefined)
      addProblem(name, `contains unknown value ${unknown}`, `use ${known.join(', ')}`, 'not-available');
    return values.length === 0 ? known : (values as T[]);
  };
  const settings: CanarySettings = {
    namespace: required('PINION_PROJECT'),
    sandbox: required('CANARY_SANDBOX'),
    image: required('CANARY_IMAGE'),
    kinds: choice('CANARY_KINDS', canaryKinds).filter(isWorkloadKind),
    deploymentPaths: choice('CANARY_DEPLOYMENT_PATHS', canaryDeploymentPaths),
    limits: limitsOf(environment['CANARY_STEP_TIMEOUT'], addProblem),
    clusterDomain: environment['CANARY_CLUSTER_DOMAIN'] ?? 'cluster.local',
    nameServers: nameServersOf(environment['CANARY_NAME_SERVER']),
    pushgateway: url('CANARY_PUSHGATEWAY_URL'),
    submission: environment['CANARY_SUBMISSION_URL']
      ? {
          url: url('CANARY_SUBMISSION_URL')?.href ?? '',
          tokenFile: required('CANARY_SUBMISSION_TOKEN_FILE'),
          store: store(),
          key: required('CANARY_SIGNING_KEY'),
          issuer: required('CANARY_ISSUER'),
          repository: required('CANARY_REPOSITORY'),
          ref: environment['CANARY_REF'] ?? 'refs/heads/main',
          target: required('CANARY_TARGET'),
        }
      : undefined,
  };
  return problems.length > 0 ? { problems } : { settings };
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

function nameServersOf(text: string | undefined): CanarySettings['nameServers'] {
  if (!text) return 'none';
  return text === 'pod' ? 'pod' : listOf(text);
}

/** Returns the default step timeouts with this timeout for steps that wait for pods; it also caps all others. */
export const stepLimitsFor = (seconds: number): CanarySettings['limits'] =>
  Object.fromEntries(
    canarySteps.map((step) => [
      step,
      defaultStepLimits[step] >= 60 ? seconds : Math.min(seconds, defaultStepLimits[step]),
    ]),
  ) as Record<CanaryStep, number>;

function limitsOf(
  text: string | undefined,
  addProblem: (name: Name, reason: string, remedy: string, code?: Problem['code']) => void,
): CanarySettings['limits'] {
  if (!text) return defaultStepLimits;
  const millis = parseDuration(text)?.millis ?? 0;
  if (millis >= 1000 && millis <= 600_000) return stepLimitsFor(millis / 1000);
  addProblem('CANARY_STEP_TIMEOUT', 'must be a duration from 1s to 10m', 'use a duration such as 2m', 'out-of-range');
  return defaultStepLimits;
}
