import fc from 'fast-check';
import {
  compareQuantities,
  parseManifest,
  formatQuantity,
  numberOf,
  parseQuantity,
  valueAt,
  type ResourceList,
  type ManifestInput,
  type PodSpec,
  type Quantity,
  type Workload,
} from '../../../lib/api';
import { footprintOf, podFootprint, resolvePlatform, workloadFootprint, type SomeObject } from '../../../lib/expand';
import { expandUnchecked } from '../../../lib/expand/expand';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  makeProjectContext,
} from '../../../lib/testing';
import { anyWorkload } from '../any-workload';

// Without injected containers, a pod contains only what the test defines.
const bare = makeProjectContext({ profile: { name: 'bare-1', parts: [] }, project: { infrastructure: true } });
const full = resolvePlatform([]).project('shop');

const peakOf = (input: ManifestInput, nodes: number | ((pod: PodSpec) => number) = 0, context = bare): ResourceList => {
  const workload = parseManifest(input) as Workload;
  return workloadFootprint(workload, expandUnchecked(workload, context), nodes);
};
const texts = (amounts: ResourceList, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, amounts[name] && formatQuantity(amounts[name])]));
const pods = (amounts: ResourceList): number => numberOf(amounts['pods'] ?? (parseQuantity(0) as Quantity));

const template = (cpu: string, memory: string) => ({
  spec: {
    securityContext: { runAsUser: 1000 },
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/app:1.0.0',
        resources: { requests: { cpu, memory }, limits: { memory } },
      },
    ],
  },
});

describe('a service', () => {
  test('requests the pods of all variants, with the resources and the maximum of each', () => {
    const variants = [
      { name: 'v1', replicas: 2 },
      { name: 'v2', resources: { requests: { cpu: '1' } } },
      { name: 'v3', autoscaling: { maxReplicas: 4 } },
    ];
    const service = makeService({
      variants,
      rollout: { maxSurge: 0, maxUnavailable: 1 },
      template: template('500m', '1Gi'),
    });
    const names = ['pods', 'requests.cpu', 'requests.memory', 'services', 'count/deployments.apps'];
    expect(texts(peakOf(service), ...names)).toEqual({
      pods: '7',
      'requests.cpu': '4',
      'requests.memory': '7Gi',
      services: '1',
      'count/deployments.apps': '3',
    });
  });

  test('requests its replicas and the surge of a rollout', () =>
    expect(
      texts(
        peakOf(makeService({ replicas: 8, template: template('500m', '1Gi') })),
        'pods',
        'requests.cpu',
        'requests.memory',
        'limits.memory',
        'services',
        'count/deployments.apps',
        'count/pinterestservices.pinterest.com',
      ),
    ).toEqual({
      pods: '10',
      'requests.cpu': '5',
      'requests.memory': '10Gi',
      'limits.memory': '10Gi',
      services: '1',
      'count/deployments.apps': '1',
      'count/pinterestservices.pinterest.com': '1',
    }));

  test.each([
    ['for its maximum replicas if it scales', { autoscaling: { minReplicas: 2, maxReplicas: 40 } }, 50],
    ['without a surge with the Recreate strategy', { replicas: 8, rollout: { strategy: 'Recreate' as const } }, 8],
    ['with a surge of pods', { replicas: 8, rollout: { maxSurge: 3 } }, 11],
    ['for the rounded-up surge', { replicas: 3, rollout: { maxSurge: '34%' } }, 5],
    ['for nothing with zero replicas', { replicas: 0 }, 0],
  ])('requests pods %s', (_, spec, expected) => expect(pods(peakOf(makeService(spec)))).toBe(expected));
});

describe('a workload that runs to completion', () => {
  const eightShards = { shards: 8, template: template('1', '1Gi') };
  const large = { shards: [1, 5], resources: { requests: { cpu: '4' } } };

  test.each([
    ['all shards without a parallelism limit', makeJobSet(eightShards), { pods: '8', 'requests.cpu': '8' }],
    [
      'as many shards as run at once',
      makeJobSet({ ...eightShards, parallelism: 3 }),
      { pods: '3', 'requests.cpu': '3' },
    ],
    [
      'shards with different requests',
      makeJobSet({ ...eightShards, overrides: [large] }),
      { pods: '8', 'requests.cpu': '14' },
    ],
    [
      'the largest shards, as many as run at once',
      makeJobSet({ ...eightShards, overrides: [large], parallelism: 3 }),
      { pods: '3', 'requests.cpu': '9' },
    ],
    [
      'all members of a training job',
      makeTrainingJob({ roles: { master: {}, worker: { replicas: 3 } }, template: template('2', '1Gi') }),
      { pods: '4', 'requests.cpu': '8' },
    ],
    [
      'the pods of a run that run at the same time',
      makeCronJob({ completions: 10, parallelism: 4, template: template('1', '1Gi') }),
      { pods: '4', 'requests.cpu': '4' },
    ],
  ])('requests %s', (_, input, expected) =>
    expect(texts(peakOf(input as ManifestInput), 'pods', 'requests.cpu')).toEqual(expected),
  );

  test.each([
    ['one run if concurrent runs are forbidden', { concurrencyPolicy: 'Forbid' as const, activeDeadline: '3h' }, 1],
    ['one run if a new run replaces the last one', { concurrencyPolicy: 'Replace' as const, activeDeadline: '3h' }, 1],
    [
      'as many runs as start before the deadline of the first',
      { concurrencyPolicy: 'Allow' as const, activeDeadline: '3h' },
      12,
    ],
    [
      'as many runs as start within the expected duration of one',
      { concurrencyPolicy: 'Allow' as const, expectedDuration: '31m' },
      3,
    ],
    ['one run that ends before the next starts', { concurrencyPolicy: 'Allow' as const, activeDeadline: '15m' }, 1],
    ['two runs if the duration of one is unknown', { concurrencyPolicy: 'Allow' as const }, 2],
  ])('every quarter of an hour requests %s', (_, spec, expected) =>
    expect(pods(peakOf(makeCronJob({ schedule: '*/15 * * * *', ...spec })))).toBe(expected),
  );
});

describe('a daemon', () => {
  test('requests a pod on each of its nodes, and the surge of an update', () => {
    expect(pods(peakOf(makeDaemon({}), 7))).toBe(7);
    expect(pods(peakOf(makeDaemon({}), (pod) => (pod.containers[0]?.name === 'app' ? 5 : 0)))).toBe(5);
    expect(pods(peakOf(makeDaemon({ update: { maxSurge: '20%' } }), 7))).toBe(9);
  });
});

test('members of a stateful set request their volume claims', () => {
  const amounts = peakOf(
    makeStatefulSet({
      replicas: 4,
      volumeClaimTemplates: [
        { name: 'data', mountPath: '/data', size: '10Gi' },
        { name: 'log', mountPath: '/log', size: '1Gi' },
      ],
    }),
  );
  expect(texts(amounts, 'pods', 'persistentvolumeclaims', 'requests.storage', 'services')).toEqual({
    pods: '4',
    persistentvolumeclaims: '8',
    'requests.storage': '44Gi',
    services: '1',
  });
});

test('platform sidecars and init containers count', () => {
  const [without, withThem] = [peakOf(makeService()), peakOf(makeService(), 0, full)];
  expect(compareQuantities(withThem['requests.cpu'] as Quantity, without['requests.cpu'] as Quantity)).toBe(1);
});

describe('any workload', () => {
  const bounded = { numRuns: 150 };
  const atLeast = (more: ResourceList, less: ResourceList) =>
    Object.entries(less).filter(
      ([name, amount]) => compareQuantities(more[name] ?? { ...amount, nanos: 0n }, amount) < 0,
    );

  test("requests the sum of its pods' requests", () =>
    fc.assert(
      fc.property(anyWorkload, fc.integer({ min: 0, max: 9 }), (input, nodes) => {
        const workload = parseManifest(input) as Workload;
        const objects = expandUnchecked(workload, full);
        const sums: Record<string, bigint> = {};
        for (const pod of podsOneByOne(objects, nodes))
          for (const [name, { nanos }] of Object.entries(podFootprint(pod).requests))
            sums[`requests.${name}`] = (sums[`requests.${name}`] ?? 0n) + nanos;
        const amounts = workloadFootprint(workload, objects, nodes);
        for (const name of ['requests.cpu', 'requests.memory'])
          expect([name, amounts[name]?.nanos ?? 0n]).toEqual([name, sums[name] ?? 0n]);
      }),
      bounded,
    ));

  test('never requests less with one more replica, shard, member or node, or with larger platform sidecars', () =>
    fc.assert(
      fc.property(
        anyWorkload,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 30 }),
        (input, more, nodes) => {
          const before = peakOf(input, nodes, full);
          expect(atLeast(peakOf(grown(input, more), nodes, full), before)).toEqual([]);
          expect(atLeast(peakOf(input, nodes + more, full), before)).toEqual([]);
          expect(atLeast(before, peakOf(input, nodes, bare))).toEqual([]);
        },
      ),
      bounded,
    ));

  test('requests the sum when added to others', () =>
    fc.assert(
      fc.property(anyWorkload, anyWorkload, (a, b) => {
        const objects = [a, b].map((input, index) =>
          expandUnchecked(
            parseManifest({ ...input, metadata: { ...input.metadata, name: `w${index}` } }) as Workload,
            full,
          ),
        );
        const together = footprintOf(objects.flat(), 3);
        const apart = objects.map((own) => footprintOf(own, 3));
        for (const [name, { nanos }] of Object.entries(together))
          expect([name, nanos]).toEqual([name, apart.reduce((sum, own) => sum + (own[name]?.nanos ?? 0n), 0n)]);
      }),
      bounded,
    ));
});

/** The workload with an additional number of replicas, members or shards. */
function grown(input: ManifestInput, more: number): ManifestInput {
  const spec = input.spec as unknown as Readonly<Record<string, unknown>>;
  const variants = spec['variants'] as readonly { readonly replicas?: number }[] | undefined;
  if (variants) {
    const larger = variants.map(({ replicas = 1, ...rest }) => ({ ...rest, replicas: replicas + more }));
    return { ...input, spec: { ...spec, variants: larger } } as unknown as ManifestInput;
  }
  const jobs = spec['replicatedJobs'] as readonly { readonly shards?: number }[] | undefined;
  if (jobs) {
    const larger = jobs.map(({ shards = 1, ...rest }) => ({ ...rest, shards: shards + more }));
    return { ...input, spec: { ...spec, replicatedJobs: larger } } as unknown as ManifestInput;
  }
  const path = pathOfCount(input.kind, spec);
  if (!path) return input;
  const present = valueAt(spec, path);
  return { ...input, spec: withValue(spec, path, (typeof present === 'number' ? present : 1) + more) } as ManifestInput;
}

function pathOfCount(kind: string, spec: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (spec['autoscaling']) return ['autoscaling', 'maxReplicas'];
  if (kind === 'PinterestTrainingJob') return ['roles', 'worker', 'replicas'];
  if (kind === 'PinterestJobSet') return ['shards'];
  return kind === 'PinterestService' || kind === 'PinterestStatefulSet' ? ['replicas'] : undefined;
}

const withValue = (of: unknown, [step = '', ...rest]: readonly string[], value: unknown): object => ({
  ...(of as object),
  [step]: rest.length === 0 ? value : withValue((of as Readonly<Record<string, unknown>>)[step], rest, value),
});

/** Fields of native specs that determine the number of pods. */
interface Spec {
  readonly replicas: number;
  readonly maxReplicas: number;
  readonly parallelism: number;
  readonly strategy: { readonly rollingUpdate?: { readonly maxSurge: number | string } };
  readonly template: { readonly spec: PodSpec };
  readonly jobTemplate: { readonly spec: Spec };
}

/** The pods that Kubernetes' controllers create for objects, one by one. */
function podsOneByOne(objects: readonly SomeObject[], nodes: number): PodSpec[] {
  const scaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.['spec'] as Spec | undefined;
  return objects.flatMap((object): PodSpec[] => {
    const spec = object['spec'] as Spec;
    const many = (count: number, pod: PodSpec) => Array.from({ length: count }, () => pod);
    switch (object.kind) {
      case 'Deployment': {
        const replicas = scaler ? scaler.maxReplicas : spec.replicas;
        const surge = spec.strategy.rollingUpdate?.maxSurge ?? 0;
        const extra = typeof surge === 'number' ? surge : Math.ceil((replicas * Number(surge.replace('%', ''))) / 100);
        return many(replicas + extra, spec.template.spec);
      }
      case 'StatefulSet':
        return many(spec.replicas, spec.template.spec);
      case 'Job':
        return many(spec.parallelism, spec.template.spec);
      case 'CronJob':
        return many(spec.jobTemplate.spec.parallelism, spec.jobTemplate.spec.template.spec);
      case 'DaemonSet':
        return many(nodes, spec.template.spec);
      default:
        return [];
    }
  });
}
