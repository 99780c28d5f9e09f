import { apiVersion, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { behaviour } from '../../control-plane/pod-behaviour';
import { smallTemplate } from '../pinion-suite';
import { type Chance } from './chance';

/** A workload as the user of a round says it; its spec is plain JSON. */
export interface Said {
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Fields;
}
type Fields = Readonly<Record<string, unknown>>;

/** Where the workloads of a round live. */
export interface Places {
  readonly project: string;
  /** Project of infrastructure: daemons live nowhere else. */
  readonly infrastructure: string;
}

type Makers = Readonly<
  Record<WorkloadKind, { readonly make: (chance: Chance) => Fields; readonly changes: readonly Change[] }>
>;
/** Gives fields that replace those of a spec; undefined takes one away. */
type Change = (chance: Chance, spec: Fields) => Fields;

const word = (chance: Chance): string => chance.of(['red', 'green', 'blue', 'white']) + chance.whole(0, 999);

const env: Change = (chance) => ({ config: { env: { MODE: word(chance) } } });
const file: Change = (chance) => ({ config: { files: { '/etc/app/settings': word(chance) } } });
const labels: Change = (chance) => ({ labels: { colour: word(chance) } });
const version: Change = (chance) => ({ version: word(chance) });
const pdb = { of: (chance: Chance) => chance.of([1, 2, 3]) };
const replicas: Change = (chance, { autoscaling }) =>
  autoscaling === undefined
    ? { replicas: pdb.of(chance) }
    : { autoscaling: { minReplicas: chance.whole(1, 2), maxReplicas: 4 } };
const loadBalancer: Change = (chance, spec) => ({
  loadBalancer: spec['loadBalancer'] === undefined || chance.is(0.7) ? { port: chance.whole(80, 99) } : undefined,
});
const autoscaling: Change = (chance, spec) =>
  spec['autoscaling'] === undefined
    ? { replicas: undefined, autoscaling: { minReplicas: chance.whole(1, 2), maxReplicas: 4 } }
    : { autoscaling: undefined, replicas: pdb.of(chance) };
const suspend: Change = (_, spec) => ({ suspend: spec['suspend'] !== true });
const shards: Change = (chance) => ({ shards: chance.whole(1, 3) });
const schedule: Change = (chance) => ({ schedule: `${chance.whole(0, 59)} 3 1 1 *` });
const sizes: Change = (_, spec) =>
  spec['volumeClaimTemplates'] === undefined
    ? {}
    : { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '2Gi' }] };

/** Work that ends by itself, well or badly. */
const work = (chance: Chance, bad: number): Fields => ({
  template: smallTemplate({
    [behaviour.exitAfter]: chance.of(['300ms', '1s', '3s']),
    ...(chance.is(bad) && { [behaviour.exitCode]: '3' }),
  }),
  retries: 0,
  ...(chance.is(0.5) && { allowLoss: ['Progress'] }),
});

const kinds: Makers = {
  PinterestService: {
    make: (chance) => ({
      template: smallTemplate(),
      replicas: pdb.of(chance),
      ...(chance.is(0.5) && loadBalancer(chance, {})),
    }),
    changes: [env, file, labels, version, replicas, replicas, loadBalancer, autoscaling],
  },
  PinterestStatefulSet: {
    make: (chance) => ({
      template: smallTemplate(),
      replicas: chance.whole(1, 2),
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
      failurePolicy: { maxRestarts: chance.whole(0, 2) },
    }),
    changes: [env, shards, suspend, file, labels],
  },
  PinterestTrainingJob: {
    make: (chance) => ({
      ...work(chance, 0.2),
      framework: 'pytorch',
      sharedMemory: '64Mi',
      roles: { master: { replicas: 1 }, worker: { replicas: chance.whole(1, 2) } },
      cleanPodPolicy: chance.of(['All', 'Running', 'None']),
    }),
    changes: [env, file, suspend, labels],
  },
};

/** Kinds that a person scales by a number. */
export const isScaled = ({ spec }: Said): boolean => typeof spec['replicas'] === 'number';

/** A workload of a kind; equal choices make equal ones. */
export function anyOf(kind: WorkloadKind, name: string, places: Places, chance: Chance): Said {
  const namespace = kind === 'PinterestDaemon' ? places.infrastructure : places.project;
  return { apiVersion, kind, metadata: { name, namespace }, spec: kinds[kind].make(chance) };
}

/** How often the set starts anew. */
export const restarts = 2;

/** Work that fails whenever it is tried, and starts anew as a whole. */
export const failing = ({ project }: Places): Said => ({
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

/** Each kind at least so many times. */
export function population(each: number, prefix: string, places: Places, chance: Chance): Said[] {
  return Array.from({ length: each }, (_, index) =>
    (Object.keys(kinds) as WorkloadKind[]).map((kind) =>
      anyOf(kind, `${prefix}-${kind.slice('Pinterest'.length).toLowerCase()}-${index}`, places, chance),
    ),
  ).flat();
}

/** The same workload with something changed. */
export function changed(said: Said, chance: Chance): Said {
  const { kind, spec } = said;
  const next = { ...spec, ...chance.of(kinds[kind].changes)(chance, spec) };
  return { ...said, spec: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) };
}

/** The same workload with another number of pods. */
export const scaled = (said: Said, count: number): Said => ({ ...said, spec: { ...said.spec, replicas: count } });

/** As the API server takes it. */
export const documentOf = (said: Said): ManifestInput => said as unknown as ManifestInput;
