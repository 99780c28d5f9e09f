import { apiVersion, type ManifestInput, metadataKeys, type WorkloadKind } from '../../api';
import { type CanaryDoorName } from './canary-steps';

/** Which workload of the canary is meant. */
export interface CanaryWorkload {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  /** Id of the run, as a label on all that comes of it. */
  readonly run: string;
  /** Version of the workload: a change is another one. */
  readonly version: string;
  /** Image of its container: the canary's own, which serves or works as it is told. */
  readonly image: string;
  /** Node that daemons keep to: one on each node would be too many. */
  readonly node: string;
  /** Asks for more than the quota of the project. @default false */
  readonly large?: boolean;
  /** Whether clients outside the cluster reach the service, where the Platform has a way in. @default cluster */
  readonly exposure?: 'Cluster' | 'Internal';
}

const shortNames: Readonly<Record<WorkloadKind, string>> = {
  PinterestService: 'service',
  PinterestStatefulSet: 'stateful',
  PinterestDaemon: 'daemon',
  PinterestCronJob: 'cron',
  PinterestJobSet: 'jobset',
  PinterestTrainingJob: 'training',
};

/** Name of a workload of a run; through submission the same in each, for what is published stays the same. */
export const canaryWorkloadName = (kind: WorkloadKind, door: CanaryDoorName, run: string): string =>
  door === 'submission' ? `canary-${shortNames[kind]}` : `canary-${shortNames[kind]}-${door[0] ?? ''}-${run}`;

/** Port that the canary's container serves on. */
export const servedPort = 8080;

/** Far beyond any project's quota. */
const hugeMemory = '900Ti';
/** What one of its containers asks for. */
const small = { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '96Mi' } };

/** A small workload of a kind, as a person would write it. */
export function canaryWorkload(asked: CanaryWorkload): ManifestInput<WorkloadKind> {
  const { kind, namespace, name, run, version } = asked;
  const metadata = { name, namespace, labels: { [metadataKeys.canary]: run } };
  const spec = { version, ...specs[kind](asked) };
  return { apiVersion, kind, metadata, spec } as unknown as ManifestInput<WorkloadKind>;
}

const specs: Readonly<Record<WorkloadKind, (asked: CanaryWorkload) => object>> = {
  PinterestService: (asked) => ({
    replicas: 1,
    loadBalancer: { port: servedPort, exposure: asked.exposure ?? 'Cluster' },
    template: template(asked, 'serve'),
  }),
  PinterestStatefulSet: (asked) => ({
    replicas: 1,
    ports: [{ name: 'http', port: servedPort }],
    template: template(asked, 'serve'),
  }),
  PinterestDaemon: (asked) => ({
    tolerateAll: false,
    template: template(asked, 'serve', { nodeSelector: { 'kubernetes.io/hostname': asked.node } }),
  }),
  // Once in four years: it is there to be made and changed.
  PinterestCronJob: (asked) => ({ schedule: '0 0 29 2 *', template: template(asked, 'work') }),
  PinterestJobSet: (asked) => ({
    shards: 1,
    allowLoss: ['Progress'],
    ttlAfterFinished: '10m',
    template: template(asked, 'work'),
  }),
  PinterestTrainingJob: (asked) => ({
    framework: 'pytorch',
    allowLoss: ['Progress'],
    ttlAfterFinished: '10m',
    roles: { worker: { replicas: 1 } },
    template: template(asked, 'work'),
  }),
};

function template(
  { image, version, large = false }: CanaryWorkload,
  word: 'serve' | 'work',
  more: object = {},
): object {
  const resources = large
    ? { requests: { ...small.requests, memory: hugeMemory }, limits: { memory: hugeMemory } }
    : small;
  const container = {
    name: 'canary',
    image,
    args: [word],
    env: [{ name: 'CANARY_VERSION', value: version }],
    resources,
    ...(word === 'serve' && { readinessProbe: { httpGet: { path: '/healthz', port: servedPort }, periodSeconds: 2 } }),
  };
  return { spec: { securityContext: { runAsUser: 65532, runAsGroup: 65532 }, containers: [container], ...more } };
}
