import fc from 'fast-check';
import {
  safePlanCapacity,
  flagsOf,
  planGroups,
  instanceTypes,
  planCapacity,
  plannedValues,
  controlPlanePrograms,
  supportedVersions,
  type LoadInput,
  type CapacityPlan,
  type PlannedName,
} from '../../lib/capacity';
import { makeLoad } from './make-load';

const names = Object.keys(plannedValues) as PlannedName[];

/** Returns a plan with a fixed instance type and quota, so that no load is too large. */
const unlimitedPlan = (load: LoadInput): CapacityPlan =>
  planCapacity({ ...load, overrides: { controlPlaneInstanceType: 'r6i.32xlarge', etcdQuotaBytes: 20 * 1024 ** 3 } });

/** Returns the resources of a plan that must not decrease with more load. */
function needs({ values, nodeGroups }: CapacityPlan): Readonly<Record<string, number>> {
  const of = (name: PlannedName): number => values[name].value as number;
  const same: readonly PlannedName[] = [
    'requestsPerSecond',
    'stormRequestsPerSecond',
    'writesPerSecond',
    'stormWritesPerSecond',
    'eventsPerSecond',
    'apiServerMemorySteadyBytes',
    'apiServerMemoryPeakBytes',
    'controlPlaneCores',
    'stormCores',
    'stormSeats',
    'watchCacheHistoryEvents',
    'etcdIops',
    'etcdThroughputMBps',
    'etcdVolumeGib',
    'eventsEtcdFileBytes',
    'eventsEtcdStormFileBytes',
    'controllerManagerQps',
    'schedulerQps',
    'eventRateUserCacheSize',
    'eventRateNamespaceCacheSize',
    'controlPlaneNodeCores',
    'autoscalerMaxNodes',
    'stormPods',
    'stormNodes',
  ];
  return {
    ...Object.fromEntries(same.map((name) => [name, of(name)])),
    seats: of('maxRequestsInflight') + of('maxMutatingRequestsInflight'),
    // With more nodes, leases move to a separate etcd: only the sum matters.
    etcdFiles: of('etcdFileBytes') + (values.leasesEtcd.value ? of('leasesEtcdFileBytes') : 0),
    controlPlaneNodeMemoryBytes: of('controlPlaneNodeMemoryBytes'),
    desired: nodeGroups.reduce((sum, { desired }) => sum + desired.value, 0),
  };
}

const anyLoad = fc.record({
  nodes: fc.integer({ min: 30, max: 8000 }),
  podsPerNode: fc.integer({ min: 0, max: 60 }),
  podBytes: fc.integer({ min: 1000, max: 60_000 }),
  nodeBytes: fc.integer({ min: 5000, max: 60_000 }),
  namespaces: fc.integer({ min: 1, max: 9000 }),
  podsPerSecond: fc.integer({ min: 0, max: 100 }),
  fullCaches: fc.integer({ min: 0, max: 100 }),
  requestsPerSecond: fc.integer({ min: 0, max: 5000 }),
  count: fc.integer({ min: 0, max: 50_000 }),
  changesPerSecond: fc.integer({ min: 0, max: 100 }),
  podFactor: fc.integer({ min: 1, max: 5 }),
  nodesAdded: fc.integer({ min: 0, max: 2000 }),
  loadFactor: fc.integer({ min: 1, max: 10 }),
});
type Numbers = typeof anyLoad extends fc.Arbitrary<infer T> ? T : never;

const loadOf = (numbers: Numbers): LoadInput =>
  makeLoad({
    nodes: numbers.nodes,
    pods: numbers.nodes * numbers.podsPerNode,
    podBytes: numbers.podBytes,
    nodeBytes: numbers.nodeBytes,
    namespaces: numbers.namespaces,
    churn: { podsPerSecond: numbers.podsPerSecond },
    controllers: { fullCaches: numbers.fullCaches, requestsPerSecond: numbers.requestsPerSecond },
    customResources: [
      { name: 'databases.example.com', count: numbers.count, bytes: 5000, changesPerSecond: numbers.changesPerSecond },
    ],
    storm: { podFactor: numbers.podFactor, nodesAdded: numbers.nodesAdded, loadFactor: numbers.loadFactor },
  });

describe('a plan', () => {
  test('does not shrink when an input of the load increases', () => {
    const fields = fc.constantFrom(...(Object.keys(loadKeys) as (keyof Numbers)[]));
    fc.assert(
      fc.property(anyLoad, fields, fc.integer({ min: 1, max: 30 }), (numbers, field, more) => {
        const [before, after] = [numbers, { ...numbers, [field]: numbers[field] + more }].map((one) =>
          needs(unlimitedPlan(loadOf(one))),
        );
        const decreased = Object.keys(before ?? {}).filter(
          (name) => (after?.[name] ?? 0) < (before?.[name] ?? 0) - 1e-6,
        );
        expect(decreased).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('selects an instance type with the planned resources of a control plane node', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 0, max: 30 }), (nodes, perNode) => {
        const { plan, problems } = safePlanCapacity(makeLoad({ nodes, pods: nodes * perNode }));
        expect(plan ?? problems.find(({ severity }) => severity !== 'warning')?.remedy).toBeDefined();
        if (!plan) return;
        const {
          controlPlaneNodeMemoryBytes,
          goMemLimitBytes,
          apiServerMemoryPeakBytes,
          apiServerMemoryHighBytes,
          pageCacheBytes,
        } = plan.values;
        expect(goMemLimitBytes.value).toBeLessThan(apiServerMemoryHighBytes.value);
        expect(pageCacheBytes.value).toBe(apiServerMemoryHighBytes.value - goMemLimitBytes.value);
        expect(apiServerMemoryPeakBytes.value).toBeLessThanOrEqual(controlPlaneNodeMemoryBytes.value);
        expect(plan.warnings.filter(({ path }) => path[1] === 'controlPlaneInstanceType')).toEqual([]);
      }),
    );
  });

  test('has a unit, a formula and a source for every value, and whole numbers of bytes and entries', () => {
    const { values } = planCapacity(makeLoad());
    for (const name of names) {
      const { unit, formula, source, value } = values[name];
      expect([name, unit]).toEqual([name, plannedValues[name].unit]);
      expect([name, formula.length > 3, source.length > 3]).toEqual([name, true, true]);
      if (
        ['bytes', 'GiB', 'IOPS', 'seats', 'entries', 'nodes', 'pods', 'members'].includes(unit) &&
        typeof value === 'number'
      )
        expect([name, Number.isInteger(value)]).toEqual([name, true]);
      expect(Object.keys(planGroups)).toContain(plannedValues[name].group);
    }
  });

  test('has the unit of each value in its name', () => {
    const suffixes: readonly (readonly [RegExp, string])[] = [
      [/Bytes$/, 'bytes'],
      [/Gib$/, 'GiB'],
      [/Seconds$/, 'seconds'],
      [/MBps$/, 'MB/s'],
      [/Iops$/, 'IOPS'],
      [/Cores$/, 'cores'],
      [/Nodes$/, 'nodes'],
    ];
    for (const name of names)
      for (const [suffix, unit] of suffixes)
        if (suffix.test(name)) expect([name, plannedValues[name].unit]).toEqual([name, unit]);
  });

  test.each(supportedVersions)('has only flags of %s for that version', (kubernetes) => {
    const { flags } = planCapacity(makeLoad({ kubernetes, overrides: { watchCacheSizes: { secrets: 0 } } }));
    for (const program of controlPlanePrograms)
      expect(Object.keys(flags[program]).filter((name) => !flagsOf(program, kubernetes).has(name))).toEqual([]);
    expect(flags['kube-apiserver']).toMatchObject({
      'watch-cache-sizes': 'secrets#0',
      'etcd-compaction-interval': '150s',
    });
    expect(Object.keys(flags['kube-apiserver'])).not.toContain('target-ram-mb');
  });

  test('includes additional flags', () => {
    const { flags } = planCapacity(makeLoad({ flags: { 'kube-apiserver': { 'audit-log-batch-max-size': '7' } } }));
    expect(flags['kube-apiserver']['audit-log-batch-max-size']).toBe('7');
  });
});

const loadKeys = {
  nodes: 0,
  podsPerNode: 0,
  podBytes: 0,
  nodeBytes: 0,
  namespaces: 0,
  podsPerSecond: 0,
  fullCaches: 0,
  requestsPerSecond: 0,
  count: 0,
  changesPerSecond: 0,
  podFactor: 0,
  nodesAdded: 0,
  loadFactor: 0,
} satisfies Record<keyof Numbers, number>;

describe('an override', () => {
  const base = planCapacity(makeLoad());
  /** Returns values within the limits of the schema; the two that zones determine have one choice. */
  function valueFor(name: PlannedName): fc.Arbitrary<unknown> {
    if (name === 'controlPlaneNodes' || name === 'etcdMembers') return fc.constant(3);
    if (name === 'controlPlaneInstanceType') return fc.constantFrom('m6i.4xlarge', 'r6i.32xlarge', 'c5.large');
    if (name === 'watchCacheSizes') return fc.constantFrom({ secrets: 0 }, { 'leases.coordination.k8s.io': 0 });
    const { schema } = plannedValues[name] as {
      schema: { minValue?: number; maxValue?: number; isInt?: boolean; options?: readonly string[] };
    };
    if (schema.options) return fc.constantFrom(...schema.options);
    if (schema.minValue === undefined || schema.maxValue === undefined) return fc.boolean();
    const { minValue: min, maxValue: max } = schema;
    return schema.isInt
      ? fc.integer({ min: Math.max(1, min), max: Math.min(max, 2 ** 40) })
      : fc.double({ min, max, noNaN: true });
  }

  test.each(names)('of %s takes precedence, and is shown with the planned value', (name) => {
    fc.assert(
      fc.property(valueFor(name), (value) => {
        const { plan, problems } = safePlanCapacity(makeLoad({ overrides: { [name]: value } }));
        // An impossible override is reported with a remedy, and never silently replaced.
        if (!plan)
          return expect(problems.some(({ severity, remedy }) => severity !== 'warning' && remedy !== '')).toBe(true);
        expect(plan.values[name]).toMatchObject({ value, planned: base.values[name].value });
        const others = names.filter((other) => other !== name && plan.values[other].planned !== undefined);
        expect(others).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test('determines the values that depend on it', () => {
    const { values, seats, flags } = planCapacity(
      makeLoad({ overrides: { maxRequestsInflight: 640, maxMutatingRequestsInflight: 0, controllerManagerQps: 500 } }),
    );
    expect(values.stormWritesPerSecond.value).toBeGreaterThan(base.values.stormWritesPerSecond.value);
    expect(seats['workload-low']).toBe(Math.ceil((640 * 100) / 250));
    expect(flags['kube-apiserver']).toMatchObject({
      'max-requests-inflight': '640',
      'max-mutating-requests-inflight': '0',
    });
    expect(flags['kube-controller-manager']['kube-api-burst']).toBe('500');
  });

  test('of a node group takes precedence as well', () => {
    const { nodeGroups, values } = planCapacity(
      makeLoad({ overrides: { nodeGroups: { general: { max: 3000, instanceTypes: ['m5.4xlarge'] } } } }),
    );
    expect(nodeGroups[0]?.max).toMatchObject({ value: 3000, planned: 1200 });
    expect(nodeGroups[0]?.instanceTypes).toMatchObject({ value: ['m5.4xlarge'], planned: ['c6i.2xlarge'] });
    expect(values.autoscalerMaxNodes.value).toBe(3003);
  });

  test('is shown with the planned value, whatever else is overridden', () => {
    const { nodeGroups, values } = planCapacity(
      makeLoad({
        overrides: {
          etcdQuotaBytes: 1024 ** 3,
          etcdVolumeGib: 50,
          autoscalerMaxNodes: 40,
          nodeGroups: { general: { desired: 30, max: 50 } },
        },
      }),
    );
    expect(nodeGroups[0]?.max).toMatchObject({ value: 50, planned: 1200 });
    expect(values.autoscalerMaxNodes).toMatchObject({ value: 40, planned: 1203 });
    expect(values.etcdVolumeGib).toMatchObject({ value: 50, planned: 24 });
  });

  test('below the needs of the load is accepted, with a warning that names the shortage', () => {
    const { warnings, values } = planCapacity(
      makeLoad({
        overrides: { controlPlaneInstanceType: 'm5.large', maxRequestsInflight: 5, maxMutatingRequestsInflight: 5 },
      }),
    );
    expect(values.controlPlaneInstanceType.value).toBe('m5.large');
    expect(warnings.map(({ path, remedy }) => [path[1], remedy])).toEqual([
      ['controlPlaneInstanceType', 'use c6i.8xlarge'],
      ['maxRequestsInflight', 'remove it, or expect HTTP 429 in a storm'],
    ]);
  });
});

test('overrides of a group keep minimum, desired and maximum size in order', () => {
  fc.assert(
    fc.property(
      fc.record(
        { min: fc.nat(2000), desired: fc.nat(2000), max: fc.integer({ min: 1, max: 2000 }) },
        { requiredKeys: [] },
      ),
      (general) => {
        const { plan, problems } = safePlanCapacity(makeLoad({ overrides: { nodeGroups: { general } } }));
        const [group] = plan?.nodeGroups ?? [];
        if (!group) return expect(problems.some(({ path }) => path[1] === 'nodeGroups')).toBe(true);
        expect(group.min.value).toBeLessThanOrEqual(group.desired.value);
        expect(group.desired.value).toBeLessThanOrEqual(group.max.value);
      },
    ),
  );
});

test('instance types of a group have the same size, and spot groups have several types', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('general' as const, 'memory' as const, 'spot' as const),
      fc.double({ min: 0.05, max: 4, noNaN: true }),
      fc.double({ min: 0.05, max: 16, noNaN: true }),
      (kind, cores, memoryGib) => {
        const { plan } = safePlanCapacity(makeLoad({ mix: { pool: { kind, share: 1, cores, memoryGib } } }));
        const names = plan?.nodeGroups[0]?.instanceTypes.value ?? [];
        const sizes = names.map((name) => instanceTypes.get(name));
        expect(new Set(sizes.map((size) => `${size?.cores} ${size?.memoryGib}`)).size).toBe(plan ? 1 : 0);
        if (plan && kind === 'spot') expect(names.length).toBeGreaterThan(1);
      },
    ),
  );
});

test('pools of a mix become node groups of their kind, and their limits determine the autoscaler limits', () => {
  const { nodeGroups, values } = planCapacity(
    makeLoad({
      nodes: 100,
      pods: 400,
      mix: {
        web: { kind: 'general', share: 0.5, cores: 1, memoryGib: 2 },
        cache: { kind: 'memory', share: 0.2, cores: 0.5, memoryGib: 12 },
        batch: { kind: 'spot', share: 0.28, cores: 2, memoryGib: 4 },
        train: { kind: 'accelerator', share: 0.02, cores: 3, memoryGib: 12, accelerators: 1 },
      },
    }),
  );
  expect(
    nodeGroups.map(({ pool, kind, min, desired, max }) => [pool, kind, min.value, desired.value, max.value]),
  ).toEqual([
    ['web', 'general', 3, 50, 60],
    ['cache', 'memory', 3, 20, 24],
    ['batch', 'spot', 3, 28, 34],
    ['train', 'accelerator', 2, 2, 3],
  ]);
  expect(nodeGroups[1]?.instanceTypes.value[0]).toMatch(/^r/);
  expect(nodeGroups[2]?.instanceTypes.value.length).toBeGreaterThan(1);
  expect(values.autoscalerMaxNodes.value).toBe(124);
});
