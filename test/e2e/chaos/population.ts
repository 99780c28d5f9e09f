import { apiVersion, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { behaviour } from '../../control-plane/pod-behaviour';
import { smallTemplate } from '../pinion-suite';
import { type Chance } from './chance';

/** Manifest of a workload of a round; its spec is plain JSON. */
export interface WorkloadManifest {
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Fields;
}
type Fields = Readonly<Record<string, unknown>>;

/** Projects of a round. */
export interface RoundProjects {
  readonly project: string;
  /** Infrastructure project, which daemons require. */
  readonly infrastructure: string;
}

type Makers = Readonly<
  Record<WorkloadKind, { readonly make: (chance: Chance) => Fields; readonly changes: readonly Change[] }>
>;
/** Change of a spec: fields that replace those of the spec; undefined removes a field. */
type Change = (chance: Chance, spec: Fields) => Fields;

const word = (chance: Chance): string => chance.of(['red', 'green', 'blue', 'white']) + chance.integer(0, 999);

const env: Change = (chance) => ({ config: { env: { MODE: word(chance) } } });
const file: Change = (chance) => ({ config: { files: { '/etc/app/settings': word(chance) } } });
const labels: Change = (chance) => ({ labels: { colour: word(chance) } });
const version: Change = (chance) => ({ version: word(chance) });
const replicaCount = (chance: Chance): number => chance.of([1, 2, 3]);
const replicas: Change = (chance, { autoscaling }) =>
  autoscaling === undefined
    ? { replicas: replicaCount(chance) }
    : { autoscaling: { minReplicas: chance.integer(1, 2), maxReplicas: 4 } };
const loadBalancer: Change = (chance, spec) => ({
  loadBalancer: spec['loadBalancer'] === undefined || chance.is(0.7) ? { port: chance.integer(80, 99) } : undefined,
});
const autoscaling: Change = (chance, spec) =>
  spec['autoscaling'] === undefined
    ? { replicas: undefined, autoscaling: { minReplicas: chance.integer(1, 2), maxReplicas: 4 } }
    : { autoscaling: undefined, replicas: replicaCount(chance) };
const suspend: Change = (_, spec) => ({ suspend: spec['suspend'] !== true });
const shards: Change = (chance) => ({ shards: chance.integer(1, 3) });
const schedule: Change = (chance) => ({ schedule: `${chance.integer(0, 59)} 3 1 1 *` });
const sizes: Change = (_, spec) =>
  spec['volumeClaimTemplates'] === undefined
    ? {}
    : { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '2Gi' }] };

/** Returns a spec of work that runs to completion and fails with a probability. */
const work = (chance: Chance, failureRate: number): Fields => ({
  template: smallTemplate({
    [behaviour.exitAfter]: chance.of(['300ms', '1s', '3s']),
    ...(chance.is(failureRate) && { [behaviour.exitCode]: '3' }),
  }),
  retries: 0,
  ...(chance.is(0.5) && { allowLoss: ['Progress'] }),
});

const kinds: Makers = {
  PinterestService: {
    make: (chance) => ({
      template: smallTemplate(),
      replicas: replicaCount(chance),
      ...(chance.is(0.5) && loadBalancer(chance, {})),
    }),
    changes: [env, file, labels, version, replicas, replicas, loadBalancer, autoscaling],
  },
  PinterestStatefulSet: {
    make: (chance) => ({
      template: smallTemplate(),
      replicas: chance.integer(1, 2),
      ...(chance.is(0.5) && { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }] }),
    }),
    changes: [env, file, labels, version, replicas, sizes],
  },
  PinterestDaemon: {
    make: (chance) => ({ template: smallTemplate(), ...env(chance, {}) }),
    changes: [env, file, labels, version],
  },
  PinterestCronJob: {
    make: (chance) => ({ template: smallTemplate(), ...schedule(chance, {}) }),
    changes: [env, file, labels, schedule, suspend],
  },
  PinterestJobSet: {
    make: (chance) => ({
      ...work(chance, 0.4),
      ...shards(chance, {}),
      failurePolicy: { maxRestarts: chance.integer(0, 2) },
    }),
    changes: [env, shards, suspend, file, labels],
  },
  PinterestTrainingJob: {
    make: (chance) => ({
      ...work(chance, 0.2),
      framework: 'pytorch',
      sharedMemory: '64Mi',
      roles: { master: { replicas: 1 }, worker: { replicas: chance.integer(1, 2) } },
      cleanPodPolicy: chance.of(['All', 'Running', 'None']),
    }),
    changes: [env, file, suspend, labels],
  },
};

/** Returns whether a workload has a number of replicas. */
export const isScaled = ({ spec }: WorkloadManifest): boolean => typeof spec['replicas'] === 'number';

/** Generates a workload of a kind; the same seed generates the same workload. */
export function generateWorkload(
  kind: WorkloadKind,
  name: string,
  projects: RoundProjects,
  chance: Chance,
): WorkloadManifest {
  const namespace = kind === 'PinterestDaemon' ? projects.infrastructure : projects.project;
  return { apiVersion, kind, metadata: { name, namespace }, spec: kinds[kind].make(chance) };
}

/** Restarts of the failing job set. */
export const restarts = 2;

/** Returns a job set that always fails and restarts as a integer. */
export const failing = ({ project }: RoundProjects): WorkloadManifest => ({
  apiVersion,
  kind: 'PinterestJobSet',
  metadata: { name: 'failing', namespace: project },
  spec: {
    template: smallTemplate({ [behaviour.exitAfter]: '1s', [behaviour.exitCode]: '3' }),
    retries: 0,
    shards: 2,
    failurePolicy: { maxRestarts: restarts },
  },
});

/** Generates that many workloads of each kind. */
export function population(each: number, prefix: string, projects: RoundProjects, chance: Chance): WorkloadManifest[] {
  return Array.from({ length: each }, (_, index) =>
    (Object.keys(kinds) as WorkloadKind[]).map((kind) =>
      generateWorkload(kind, `${prefix}-${kind.slice('Pinterest'.length).toLowerCase()}-${index}`, projects, chance),
    ),
  ).flat();
}

/** Returns a workload with a random change. */
export function changed(workload: WorkloadManifest, chance: Chance): WorkloadManifest {
  const { kind, spec } = workload;
  const next = { ...spec, ...chance.of(kinds[kind].changes)(chance, spec) };
  return { ...workload, spec: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) };
}

/** Returns a workload with another number of replicas. */
export const scaled = (workload: WorkloadManifest, count: number): WorkloadManifest => ({
  ...workload,
  spec: { ...workload.spec, replicas: count },
});

/** Returns a workload as manifest input. */
export const manifestOf = (workload: WorkloadManifest): ManifestInput => workload as unknown as ManifestInput;
