import { formatPath } from 'pinion/api';
import fc from 'fast-check';
import {
  examineClusterPlan,
  planCluster,
  type ClusterCapacity,
  type ClusterInput,
  type NodeGroupSize,
  type Tags,
} from '../../../stacks/plan';
import { parseCidr, overlap, type Cidr } from '../../../stacks/plan/cidr';
import { makeCapacity, makeCluster, makeUserData } from './make-cluster';

const planned = (own: Partial<ClusterInput> = {}, capacity = makeCapacity()) =>
  planCluster(makeCluster(own), capacity, makeUserData(capacity));
const wrong = (capacity: Partial<ClusterCapacity>, own: Partial<ClusterInput> = {}): string[] => {
  const whole = makeCapacity(capacity);
  const { problems } = examineClusterPlan(makeCluster(own), whole, makeUserData(whole));
  return problems.map(({ path, reason, remedy }) => `${formatPath(path)}: ${reason}; ${remedy}`);
};
const pool = (own: Partial<NodeGroupSize>): NodeGroupSize => ({
  ...(makeCapacity().nodeGroups[0] as NodeGroupSize),
  ...own,
});

test.each<[string, Partial<ClusterCapacity>, Partial<ClusterInput>, string]>([
  [
    'four members of etcd',
    { masters: 4 },
    {},
    'load.overrides.masters: 4 members of etcd survive the loss of 1, no more than 3 do; use 3',
  ],
  [
    'one master',
    { masters: 1 },
    {},
    'load.overrides.masters: one member of etcd cannot be lost, nor replaced in turn; use 3',
  ],
  [
    'more masters than zones',
    { masters: 5 },
    {},
    'load.overrides.masters: one master is in each zone, and there are 3 zones; give 5 zones, or use 3',
  ],
  [
    'more workers than addresses',
    { nodeGroups: [pool({ max: 900 })] },
    { network: { vpc: '10.0.0.0/20' } },
    'network.vpc: has room for 950 workers with one zone lost, and pools grow to 990 while they are replaced; use "10.0.0.0/19"',
  ],
  [
    'more workers than the largest VPC has addresses',
    { nodeGroups: [pool({ max: 20_000 })] },
    {},
    'network.vpc: has room for 16310 workers with one zone lost, and pools grow to 22000 while they are replaced; plan at most 14827 workers, or more zones',
  ],
  [
    'more nodes than blocks of pods',
    { nodeGroups: [pool({ max: 300 })] },
    { network: { pods: '10.128.0.0/16' } },
    'network.pods: has a /24 for each of 256 nodes, and there may be 334; use "10.2.0.0/15"',
  ],
  [
    'a pool that the load lacks',
    {},
    { pools: { generl: {} } },
    'pools.generl: is no pool of the load; did you mean "general"?',
  ],
  [
    'events in the database of all objects',
    { etcd: makeCapacity().etcd.slice(0, 1) },
    {},
    'load.overrides.eventsEtcd: leaves etcd events out, and a burst of events would fill the database of all objects; plan a volume for it',
  ],
])('%s: a problem with the nearest that would work', (_, capacity, own, expected) => {
  expect(wrong(capacity, own)).toContain(expected);
});

test('machines without user data are refused before anything is made', () => {
  const { plan, problems } = examineClusterPlan(makeCluster(), makeCapacity(), {
    masters: { a: 'x', b: 'x' },
    pools: {},
  });
  expect(plan).toBeUndefined();
  expect(problems.map(({ path }) => formatPath(path))).toEqual([
    'userData.masters.c',
    'userData.pools.general',
    'userData.pools.memory',
    'userData.pools.training',
    'userData.pools.batch',
  ]);
});

/** Every set of tags in a plan, wherever it stands. */
function tagSets(value: unknown): Tags[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'tags' && !Array.isArray(inner) ? [inner as Tags] : tagSets(inner),
  );
}

test('everything that can be tagged names its cluster, its part and the tags of a person', () => {
  const sets = tagSets(planned({ tags: { 'cost-center': '1234' } }));
  expect(sets.length).toBeGreaterThan(80);
  for (const tags of sets) {
    expect(tags).toMatchObject({ 'pinion/cluster': 'shop', 'cost-center': '1234' });
    expect(tags['pinion/part']).toMatch(/^(network|identity|control-plane|nodes|storage)$/);
    expect(Object.keys(tags).length).toBeLessThanOrEqual(50);
  }
});

/** Names of resources within the stack, each with the kind that it is of. */
function namesOf(value: unknown, kind = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'name' in value && 'args' in value ? [`${kind} ${String(value.name)}`] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'args' ? [] : namesOf(inner, /^\d+$/.test(key) ? kind : key),
    ),
  ];
}

test('no two resources of a kind have one name', () => {
  const names = namesOf(planned());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('what a plan refers to is in it', () => {
  for (const egress of ['nat-in-each-zone', 'one-nat', 'endpoints'] as const) {
    const plan = planned({ network: { egress } });
    const { subnets, routeTables, natGateways, endpoints, api } = plan.network;
    const has = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    const wanted = [
      ...natGateways.map(({ subnet }) => subnet),
      ...endpoints.flatMap((endpoint) => endpoint.subnets ?? []),
      ...api.subnets,
      ...plan.masters.flatMap(({ networkInterface, group }) => [networkInterface.subnet, group.subnet]),
      ...plan.nodeGroups.flatMap(({ group }) => group.subnets),
    ];
    expect(has(subnets)).toEqual(expect.arrayContaining(wanted));
    const tables = [
      ...subnets.map(({ routeTable }) => routeTable),
      ...endpoints.flatMap((one) => one.routeTables ?? []),
    ];
    expect(has(routeTables)).toEqual(expect.arrayContaining(tables));
    const nats = routeTables.flatMap(({ defaultRoute }) =>
      defaultRoute && 'natGateway' in defaultRoute ? [defaultRoute.natGateway] : [],
    );
    expect(has(natGateways)).toEqual(expect.arrayContaining(nats));
    const groups = plan.securityGroups.groups.map(({ group }) => group);
    const machines = [...plan.masters, ...plan.nodeGroups].map(({ launchTemplate }) => launchTemplate.securityGroup);
    expect(groups).toEqual(expect.arrayContaining(machines));
    const profiles = plan.roles.map(({ instanceProfile }) => instanceProfile);
    for (const { launchTemplate } of [...plan.masters, ...plan.nodeGroups])
      expect(profiles).toContain(launchTemplate.args.iamInstanceProfile.name);
  }
});

test('every machine asks for session tokens of its metadata and encrypts its root volume', () => {
  const { masters, nodeGroups } = planned();
  for (const { launchTemplate } of [...masters, ...nodeGroups]) {
    expect(launchTemplate.args.metadataOptions).toMatchObject({ httpTokens: 'required', httpPutResponseHopLimit: 1 });
    expect(launchTemplate.rootVolume.encrypted).toBe('true');
  }
});

const addresses = fc.record({
  vpc: fc.integer({ min: 16, max: 21 }).map((prefix) => `10.0.0.0/${prefix}`),
  zones: fc
    .integer({ min: 3, max: 6 })
    .map((count) => [...'abcdef'].slice(0, count).map((letter) => `us-east-1${letter}`)),
  egress: fc.constantFrom('nat-in-each-zone', 'one-nat', 'endpoints' as const),
  pools: fc.uniqueArray(fc.constantFrom('general', 'memory', 'training', 'batch'), { minLength: 1 }),
});

test('subnets of any plan share no address, and adding zones or pools changes none that is there', () => {
  fc.assert(
    fc.property(addresses, ({ vpc, zones, egress, pools }) => {
      const small = makeCapacity({ nodeGroups: pools.map((name) => pool({ pool: name, max: 10 })) });
      const own = { network: { vpc, egress } };
      const before = planned({ ...own, zones: zones.slice(0, 3) }, small);
      const after = planned(
        { ...own, zones },
        makeCapacity({ nodeGroups: [...small.nodeGroups, pool({ pool: 'another', max: 5 })] }),
      );
      const blocks = after.network.subnets.map(({ args }) => parseCidr(args.cidrBlock) as Cidr);
      blocks.forEach((block, index) =>
        expect(blocks.slice(index + 1).some((other) => overlap(block, other))).toBe(false),
      );
      expect(after.network.subnets).toEqual(expect.arrayContaining([...before.network.subnets]));
      expect(after.masters).toEqual(before.masters);
    }),
    { numRuns: 30 },
  );
});
