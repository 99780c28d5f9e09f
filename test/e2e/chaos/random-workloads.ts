import { apiVersion, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { podBehavior } from '../../control-plane/pod-behavior';
import { smallTemplate } from '../pinion-suite';
import { type SeededRandom } from './seeded-random';

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

type Generators = Readonly<
  Record<WorkloadKind, { readonly make: (random: SeededRandom) => Fields; readonly changes: readonly Change[] }>
>;
/** Change of a spec: fields that replace those of the spec; undefined removes a field. */
type Change = (random: SeededRandom, spec: Fields) => Fields;

const randomText = (random: SeededRandom): string =>
  random.of(['red', 'green', 'blue', 'white']) + random.integer(0, 999);

const env: Change = (random) => ({ config: { env: { MODE: randomText(random) } } });
const file: Change = (random) => ({ config: { files: { '/etc/app/settings': randomText(random) } } });
const labels: Change = (random) => ({ labels: { colour: randomText(random) } });
const version: Change = (random) => ({ version: randomText(random) });
const replicaCount = (random: SeededRandom): number => random.of([1, 2, 3]);
const replicas: Change = (random, { autoscaling }) =>
  autoscaling === undefined
    ? { replicas: replicaCount(random) }
    : { autoscaling: { minReplicas: random.integer(1, 2), maxReplicas: 4 } };
const loadBalancer: Change = (random, spec) => ({
  loadBalancer: spec['loadBalancer'] === undefined || random.is(0.7) ? { port: random.integer(80, 99) } : undefined,
});
const autoscaling: Change = (random, spec) =>
  spec['autoscaling'] === undefined
    ? { replicas: undefined, autoscaling: { minReplicas: random.integer(1, 2), maxReplicas: 4 } }
    : { autoscaling: undefined, replicas: replicaCount(random) };
const suspend: Change = (_, spec) => ({ suspend: spec['suspend'] !== true });
const shards: Change = (random, { replicatedJobs: jobs }) => {
  const count = random.integer(1, 3);
  if (!Array.isArray(jobs)) return { shards: count };
  const [first, ...others] = jobs as readonly Fields[];
  return { replicatedJobs: [{ ...first, shards: count }, ...others] };
};
const schedule: Change = (random) => ({ schedule: `${random.integer(0, 59)} 3 1 1 *` });
const sizes: Change = (_, spec) =>
  spec['volumeClaimTemplates'] === undefined
    ? {}
    : { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '2Gi' }] };

/** Returns a template of pods that exit, and fail with a probability. */
const finiteTemplate = (random: SeededRandom, failureRate: number) =>
  smallTemplate({
    [podBehavior.exitAfter]: random.of(['300ms', '1s', '3s']),
    ...(random.is(failureRate) && { [podBehavior.exitCode]: '3' }),
  });

/** Returns a spec of work that runs to completion and fails with a probability. */
const finiteWork = (random: SeededRandom, failureRate: number): Fields => ({
  template: finiteTemplate(random, failureRate),
  retries: 0,
  ...(random.is(0.5) && { allowLoss: ['Progress'] }),
});

/** Returns jobs of which each may wait for the one before it. */
const dependentJobs = (random: SeededRandom, failureRate: number): readonly Fields[] =>
  ['data', 'driver', 'workers'].map((name, index, names) => ({
    name,
    replicas: random.integer(1, 2),
    shards: random.integer(1, 2),
    template: finiteTemplate(random, failureRate),
    ...(index > 0 &&
      random.is(0.7) && { dependsOn: [{ name: names[index - 1], status: random.of(['Ready', 'Complete']) }] }),
  }));

const kinds: Generators = {
  PinterestService: {
    make: (random) => ({
      template: smallTemplate(),
      replicas: replicaCount(random),
      ...(random.is(0.5) && loadBalancer(random, {})),
    }),
    changes: [env, file, labels, version, replicas, replicas, loadBalancer, autoscaling],
  },
  PinterestStatefulSet: {
    make: (random) => ({
      template: smallTemplate(),
      replicas: random.integer(1, 2),
      ...(random.is(0.5) && { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }] }),
    }),
    changes: [env, file, labels, version, replicas, sizes],
  },
  PinterestDaemon: {
    make: (random) => ({ template: smallTemplate(), ...env(random, {}) }),
    changes: [env, file, labels, version],
  },
  PinterestCronJob: {
    make: (random) => ({ template: smallTemplate(), ...schedule(random, {}) }),
    changes: [env, file, labels, schedule, suspend],
  },
  PinterestJobSet: {
    make: (random) => {
      const { template, ...fields } = finiteWork(random, 0.4);
      return {
        ...fields,
        ...(random.is(0.5) ? { replicatedJobs: dependentJobs(random, 0.2) } : { template, ...shards(random, {}) }),
        failurePolicy: { maxRestarts: random.integer(0, 2) },
      };
    },
    changes: [env, shards, suspend, file, labels],
  },
  PinterestTrainingJob: {
    make: (random) => ({
      ...finiteWork(random, 0.2),
      framework: 'pytorch',
      sharedMemory: '64Mi',
      roles: { master: { replicas: 1 }, worker: { replicas: random.integer(1, 2) } },
      cleanPodPolicy: random.of(['All', 'Running', 'None']),
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
  random: SeededRandom,
): WorkloadManifest {
  const namespace = kind === 'PinterestDaemon' ? projects.infrastructure : projects.project;
  return { apiVersion, kind, metadata: { name, namespace }, spec: kinds[kind].make(random) };
}

/** Generates a number of workloads of each kind. */
export function generateWorkloads(
  each: number,
  prefix: string,
  projects: RoundProjects,
  random: SeededRandom,
): WorkloadManifest[] {
  return Array.from({ length: each }, (_, index) =>
    (Object.keys(kinds) as WorkloadKind[]).map((kind) =>
      generateWorkload(kind, `${prefix}-${kind.slice('Pinterest'.length).toLowerCase()}-${index}`, projects, random),
    ),
  ).flat();
}

/** Returns a workload with a random change. */
export function changeRandomly(workload: WorkloadManifest, random: SeededRandom): WorkloadManifest {
  const { kind, spec } = workload;
  const next = { ...spec, ...random.of(kinds[kind].changes)(random, spec) };
  return { ...workload, spec: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) };
}

/** Returns a workload with another number of replicas. */
export const scaleTo = (workload: WorkloadManifest, count: number): WorkloadManifest => ({
  ...workload,
  spec: { ...workload.spec, replicas: count },
});

/** Returns a workload as manifest input. */
export const manifestOf = (workload: WorkloadManifest): ManifestInput => workload as unknown as ManifestInput;
