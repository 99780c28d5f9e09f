import fc from 'fast-check';
import { explainProblem, isError } from '../../lib/api';
import { instanceTypes, planCapacity, safePlanCapacity, type CapacityPlan, type LoadInput } from '../../lib/capacity';
import { forecast, safeParseHistory } from '../../lib/capacity';
import { makeLoad } from './make-load';

type Mix = NonNullable<LoadInput['mix']>;
type PoolInput = Mix[string];

const web = { kind: 'general', cores: 0.5, memoryGib: 1 } as const;
const train = { kind: 'accelerator', cores: 3, memoryGib: 12, accelerators: 1 } as const;
const loadOf = (mix: Mix, more: Partial<LoadInput> = {}): LoadInput =>
  makeLoad({ nodes: 300, pods: 6000, mix, ...more });

const sizesOf = ({ nodeGroups }: CapacityPlan) =>
  nodeGroups.map(({ pool, instanceTypes: types, desired, podsPerNode }) => [
    pool,
    types.value[0],
    desired.value,
    podsPerNode.value,
  ]);
const problemsOf = (load: unknown): string[] => safePlanCapacity(load).problems.map(explainProblem);

describe('a mix', () => {
  test('with 5% accelerator pods in 300 nodes has nodes with as many pods as accelerators', () => {
    const plan = planCapacity(loadOf({ web: { ...web, share: 0.95 }, train: { ...train, share: 0.05 } }));
    expect(sizesOf(plan)).toEqual([
      ['web', 'c6i.4xlarge', 262, 22],
      ['train', 'g5.48xlarge', 38, 8],
    ]);
    expect(plan.warnings).toEqual([]);
    expect(plan.values.autoscalerMaxNodes.value).toBe(315 + 46 + 3);
  });

  test.each<[string, Mix, unknown[]]>([
    [
      'pods per node, which determine the nodes of the pool',
      { web: { ...web, share: 0.95 }, train: { ...train, share: 0.05, podsPerNode: 4 } },
      [
        ['web', 'c6i.4xlarge', 225, 26],
        ['train', 'g5.12xlarge', 75, 4],
      ],
    ],
    [
      'nodes and a share',
      { web: { ...web, share: 0.95 }, train: { ...train, share: 0.05, nodes: 50 } },
      [
        ['web', 'c6i.4xlarge', 250, 23],
        ['train', 'g5.48xlarge', 50, 6],
      ],
    ],
    [
      'nodes only, which run the remaining pods evenly, up to the largest type',
      { web: { ...web, nodes: 285 }, train: { ...train, nodes: 15 } },
      [
        ['web', 'c6i.4xlarge', 285, 21],
        ['train', 'g5.48xlarge', 15, 8],
      ],
    ],
    [
      'nodes and pods per node',
      { web: { ...web, nodes: 292, podsPerNode: 21 }, train: { ...train, nodes: 8, podsPerNode: 4 } },
      [
        ['web', 'c6i.4xlarge', 292, 21],
        ['train', 'g5.12xlarge', 8, 4],
      ],
    ],
  ])('may state %s', (_, mix, expected) => {
    const { plan, problems } = safePlanCapacity(loadOf(mix));
    expect(problems).toEqual([]);
    expect(sizesOf(plan as CapacityPlan)).toEqual(expected);
  });

  test('has arm64 machines in the pools that ask for them', () => {
    const { nodeGroups } = planCapacity(
      loadOf({
        web: { ...web, architecture: 'arm64', share: 0.6 },
        cache: { kind: 'memory', architecture: 'arm64', share: 0.1, cores: 0.5, memoryGib: 8 },
        batch: { ...web, kind: 'spot', architecture: 'arm64', share: 0.2 },
        train: { ...train, architecture: 'arm64', memoryGib: 8, share: 0.02 },
        legacy: { ...web, share: 0.08 },
      }),
    );
    const typesOf = nodeGroups.map(({ pool, instanceTypes: types }) => [pool, types.value.map((name) => name)]);
    expect(Object.fromEntries(typesOf)).toEqual({
      web: ['c6g.4xlarge'],
      cache: ['r6g.8xlarge'],
      batch: ['c6g.4xlarge', 'c7g.4xlarge'],
      train: ['g5g.16xlarge'],
      legacy: ['c6i.4xlarge'],
    });
    for (const { architecture, instanceTypes: types } of nodeGroups)
      for (const name of types.value) expect(instanceTypes.get(name)?.architecture).toBe(architecture);
  });
});

describe('a mix that cannot be planned is reported with a remedy', () => {
  const both = (one: Partial<PoolInput>, other: Partial<PoolInput>): LoadInput =>
    loadOf({ web: { ...web, ...one }, train: { ...train, ...other } });
  const arm64 = { architecture: 'arm64' } as const;
  test.each<[string, LoadInput, string]>([
    ['a pool without a size', both({}, { share: 0.05 }), 'mix.web.share: is missing, and so is nodes; set the share'],
    [
      'shares that exceed all pods',
      loadOf({ web: { ...web, share: 0.95 }, train: { ...train, share: 0.1 }, batch: { ...web, nodes: 9 } }),
      'mix: the shares of its pools sum to 1.05, more than 1; use shares that sum to at most 1',
    ],
    [
      'pools that run fewer pods than planned',
      both({ nodes: 280, podsPerNode: 20 }, { nodes: 20, podsPerNode: 8 }),
      'mix: its pools run 5760 of 6000 pods; raise nodes or podsPerNode, or plan 5760 pods',
    ],
    [
      'more nodes than planned',
      both({ share: 0.95, podsPerNode: 20 }, { share: 0.05, podsPerNode: 8 }),
      'nodes: 300 is less than the 323 nodes of its pools (web 285, train 38); plan 323 nodes, or more pods per node',
    ],
    [
      'no nodes for a pool without a size of its own',
      both({ share: 0.95 }, { share: 0.05, nodes: 300 }),
      'nodes: 300 is less than the 352 nodes of its pools (web 52, train 300); plan 352 nodes',
    ],
    [
      'fewer nodes than planned',
      both({ share: 0.95, nodes: 200 }, { share: 0.05, nodes: 50 }),
      'nodes: 300 is more than the 250 nodes of its pools (web 200, train 50); use 250',
    ],
    [
      'a density below its share',
      both({ share: 0.95 }, { share: 0.05, nodes: 50, podsPerNode: 4 }),
      'mix.train.podsPerNode: 4 is less than the share of the pool puts on each of its 50 nodes; use 6 pods per node, or 75 nodes',
    ],
    [
      'a density above the largest type',
      both({ share: 0.95 }, { share: 0.05, podsPerNode: 16 }),
      'mix.train.podsPerNode: 16 its pods need 48.3 CPUs, 194 GiB and 16 accelerators on each node, but no accelerator type in us-east-1 is that large; use at most 8',
    ],
    [
      'too few nodes for a share',
      both({ share: 0.95 }, { share: 0.05, nodes: 20 }),
      'mix.train.nodes: 20 its pods need 45.3 CPUs, 182 GiB and 15 accelerators on each node, but no accelerator type in us-east-1 is that large; use at least 38, so that each runs 8 of these pods',
    ],
    [
      'more pods on a node than Kubernetes is tested with',
      both({ share: 0.95, nodes: 50 }, { share: 0.05 }),
      'mix.web.nodes: 50 plans 114 pods on each node, more than the 110 that Kubernetes is tested with; use at least 52',
    ],
    [
      'too few nodes for all pools',
      both({ share: 0.5 }, { share: 0.5 }),
      'plan 525 nodes, 375 of them in this pool, so that each runs 8 of these pods',
    ],
    [
      'pods with more accelerators than any type',
      both({ share: 0.95 }, { share: 0.05, accelerators: 16 }),
      'lower the requests of its pods: the largest type, p5.48xlarge, has 192 CPUs, 8 accelerators and 2048 GiB',
    ],
    [
      'a region without arm64 accelerators',
      loadOf(
        { web: { ...web, share: 0.95 }, train: { ...train, ...arm64, share: 0.05 } },
        { region: 'eu-west-1', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] },
      ),
      'but no arm64 accelerator type in eu-west-1 is that large; use a region that offers g5g, or architecture amd64',
    ],
    [
      'an instance type of another architecture',
      loadOf(
        { web: { ...web, ...arm64, share: 1 } },
        { overrides: { nodeGroups: { web: { instanceTypes: ['m6i.4xlarge'] } } } },
      ),
      'overrides.nodeGroups.web.instanceTypes[0]: "m6i.4xlarge" is an amd64 type, but the machines are arm64; did you mean "m6g.4xlarge"?',
    ],
    [
      'an arm64 control plane',
      loadOf({ web: { ...web, share: 1 } }, { overrides: { controlPlaneInstanceType: 'm6g.4xlarge' } }),
      'overrides.controlPlaneInstanceType: "m6g.4xlarge" is an arm64 type, but the machines are amd64; did you mean "m6i.4xlarge"?',
    ],
  ])('%s', (_, load, expected) => {
    expect(problemsOf(load).join('\n')).toContain(expected);
  });

  test('and not for nodes that could not be parsed', () => {
    const lines = problemsOf({ ...both({ share: 0.95, nodes: 200 }, { share: 0.05, nodes: 50 }), nodes: 'many' });
    expect(lines.map((line) => line.split(' ')[2])).toEqual(['nodes:']);
  });
});

const anyPool = fc.record(
  {
    kind: fc.constantFrom('general' as const, 'memory' as const, 'spot' as const),
    architecture: fc.constantFrom('amd64' as const, 'arm64' as const),
    weight: fc.integer({ min: 1, max: 20 }),
    cores: fc.double({ min: 0.05, max: 8, noNaN: true }),
    memoryGib: fc.double({ min: 0.05, max: 64, noNaN: true }),
    // At most what fits on the largest type with any of the requests above.
    podsPerNode: fc.integer({ min: 1, max: 7 }),
  },
  { requiredKeys: ['kind', 'architecture', 'weight', 'cores', 'memoryGib'] },
);
const anyAccelerators = fc.record({
  kind: fc.constant('accelerator' as const),
  architecture: fc.constantFrom('amd64' as const, 'arm64' as const),
  weight: fc.integer({ min: 1, max: 5 }),
  cores: fc.double({ min: 0.5, max: 4, noNaN: true }),
  memoryGib: fc.double({ min: 0.5, max: 16, noNaN: true }),
  accelerators: fc.constantFrom(1, 2),
});
const anyMix = fc
  .array(fc.oneof(anyPool, anyPool, anyAccelerators), { minLength: 1, maxLength: 4 })
  .map((pools): Mix => {
    const sum = pools.reduce((total, { weight }) => total + weight, 0);
    return Object.fromEntries(
      pools.map(({ weight, ...pool }, index) => [`pool-${index}`, { ...pool, share: weight / sum }]),
    );
  });
const anyLoad = fc.tuple(fc.integer({ min: 10, max: 2000 }), fc.integer({ min: 1, max: 40 }), anyMix);

test('the nodes of each pool run all of its pods, and their type has the resources', () => {
  const planned = jest.fn();
  fc.assert(
    fc.property(anyLoad, ([nodes, density, mix]) => {
      const pods = nodes * density;
      const { plan } = safePlanCapacity(makeLoad({ nodes, pods, mix }));
      if (!plan) return;
      planned();
      for (const group of plan.nodeGroups) {
        const { share = 0, cores, memoryGib, accelerators = 0 } = mix[group.pool] as PoolInput;
        const [podsPerNode, type] = [group.podsPerNode.value, instanceTypes.get(group.instanceTypes.value[0] ?? '')];
        expect(podsPerNode * group.desired.value).toBeGreaterThan(share * pods - 1e-3);
        expect(podsPerNode).toBeLessThanOrEqual(group.maxPods.value);
        expect(type?.cores).toBeGreaterThan(podsPerNode * cores);
        expect(type?.memoryGib).toBeGreaterThan(podsPerNode * memoryGib);
        expect(type?.accelerators).toBeGreaterThanOrEqual(podsPerNode * accelerators);
      }
      const desired = plan.nodeGroups.reduce((sum, group) => sum + group.desired.value, 0);
      const isSized = Object.values(mix).every(({ podsPerNode }) => podsPerNode !== undefined);
      expect(desired).toBeLessThan(nodes + plan.nodeGroups.length);
      if (!isSized) expect(desired).toBeGreaterThanOrEqual(nodes);
    }),
    { numRuns: 300 },
  );
  expect(planned.mock.calls.length).toBeGreaterThan(50);
});

test('pools with any combination of share, nodes and pods per node run all pods, or have a problem', () => {
  const size = fc.record(
    {
      share: fc.constantFrom(0, 0.2, 0.5, 0.8, 1),
      nodes: fc.integer({ min: 1, max: 300 }),
      podsPerNode: fc.integer({ min: 1, max: 110 }),
      accelerators: fc.constantFrom(0, 1, 4),
    },
    { requiredKeys: [] },
  );
  const planned = jest.fn();
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 8000 }), (sizes, pods) => {
      // The last pool runs what the others leave, if they leave any.
      const pools = [...sizes, { nodes: 200 }].map((one: (typeof sizes)[number], index): [string, PoolInput] => [
        `pool-${index}`,
        { ...web, ...(one.accelerators && { kind: 'accelerator' }), ...one },
      ]);
      const { plan, problems } = safePlanCapacity(loadOf(Object.fromEntries(pools), { nodes: 900, pods }));
      if (!plan) {
        expect(problems.some(isError)).toBe(true);
        return;
      }
      planned();
      const capacity = plan.nodeGroups.reduce(
        (sum, { desired, podsPerNode }) => sum + desired.value * podsPerNode.value,
        0,
      );
      // Shares may deviate from 1 by a thousandth.
      expect(capacity).toBeGreaterThanOrEqual(0.999 * pods - 1);
      expect(plan.nodeGroups.every(({ desired }) => desired.value >= 1)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(planned.mock.calls.length).toBeGreaterThan(50);
});

test('the number of nodes in a remedy is planned', () => {
  const checked = jest.fn();
  fc.assert(
    fc.property(anyLoad, ([nodes, density, mix]) => {
      const load = { ...makeLoad({ nodes, pods: nodes * density, mix }) };
      const errors = safePlanCapacity(load).problems.filter(isError);
      const counts = errors.flatMap(({ remedy }) => /^plan (\d+) nodes/.exec(remedy)?.[1] ?? []).map(Number);
      // Above 2,000 nodes, the control plane may need a larger type than there is.
      if (counts.length === 0 || counts.length < errors.length || Math.max(...counts) > 2000) return;
      checked();
      const again = safePlanCapacity({ ...load, nodes: Math.max(...counts) }).problems.filter(isError);
      expect(again.map(explainProblem)).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(checked.mock.calls.length).toBeGreaterThan(30);
});

test('a forecast scales the nodes of pools that state them', () => {
  const plan = planCapacity(loadOf({ web: { ...web, nodes: 285 }, train: { ...train, nodes: 15 } }));
  const { usage = [] } = safeParseHistory({
    samples: ['2026-01-01', '2026-01-02', '2026-01-03'].map((day, index) => ({
      day,
      nodes: 300 + 100 * index,
      pods: 6000 + 2000 * index,
      requestsPerSecond: 400,
      etcdBytes: 4e8,
    })),
  });
  const { then, purchases } = forecast(plan, usage, 7);
  expect(then.nodes).toBe(1200);
  expect(purchases).toContainEqual({ name: 'node group train: maximum nodes', now: 18, then: 72 });
});
