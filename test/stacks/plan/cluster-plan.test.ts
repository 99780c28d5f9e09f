import { formatPath } from '@pinion-platform/pinion/api';
import fc from 'fast-check';
import {
  safePlanCluster,
  planCluster,
  type ClusterCapacity,
  type ClusterInput,
  type NodeGroupSize,
  type Tags,
} from '../../../stacks/plan';
import { parseCidr, overlap, type Cidr } from '../../../stacks/plan/network/cidr';
import { makeCapacity, makeCluster, makeUserData } from './make-cluster';

const planned = (own: Partial<ClusterInput> = {}, capacity = makeCapacity()) =>
  planCluster(makeCluster(own), capacity, makeUserData(capacity));
const wrong = (capacity: Partial<ClusterCapacity>, own: Partial<ClusterInput> = {}): string[] => {
  const fullCapacity = makeCapacity(capacity);
  const { problems } = safePlanCluster(makeCluster(own), fullCapacity, makeUserData(fullCapacity));
  return problems.map(({ path, reason, remedy }) => `${formatPath(path)}: ${reason}; ${remedy}`);
};
const pool = (own: Partial<NodeGroupSize>): NodeGroupSize => ({
  ...(makeCapacity().nodeGroups[0] as NodeGroupSize),
  ...own,
});

test.each<[string, Partial<ClusterCapacity>, Partial<ClusterInput>, string]>([
  [
    'four etcd members',
    { controlPlaneNodes: 4 },
    {},
    'load.overrides.controlPlaneNodes: 4 etcd members tolerate 1 failures, as many as 3 do; use 3',
  ],
  [
    'one control plane node',
    { controlPlaneNodes: 1 },
    {},
    'load.overrides.controlPlaneNodes: a single etcd member can neither fail nor be replaced; use 3',
  ],
  [
    'more control plane nodes than zones',
    { controlPlaneNodes: 5 },
    {},
    'load.overrides.controlPlaneNodes: each control plane node needs its own zone, and there are 3 zones; use 5 zones, or 3 nodes',
  ],
  [
    'more workers than addresses',
    { nodeGroups: [pool({ max: 900 })] },
    { network: { vpc: '10.0.0.0/20' } },
    'network.vpc: fits 950 workers when one zone fails, but pools grow to 990 during a rolling update; use "10.0.0.0/19"',
  ],
  [
    'more workers than the largest VPC has addresses',
    { nodeGroups: [pool({ max: 20_000 })] },
    {},
    'network.vpc: fits 16310 workers when one zone fails, but pools grow to 22000 during a rolling update; plan at most 14827 workers, or more zones',
  ],
  [
    'more nodes than pod blocks',
    { nodeGroups: [pool({ max: 300 })] },
    { network: { pods: '10.128.0.0/16' } },
    'network.pods: has a /24 block for 256 nodes, but the cluster grows to 334; use "10.2.0.0/15"',
  ],
  [
    'a pool that is not in the load',
    {},
    { pools: { generl: {} } },
    'pools.generl: is not a pool of the load; did you mean "general"?',
  ],
  [
    'events in the main database',
    { etcd: makeCapacity().etcd.slice(0, 1) },
    {},
    'load.overrides.eventsEtcd: has no etcd events; a burst of events would fill the main database; plan a volume for it',
  ],
])('reports %s with a suggestion', (_, capacity, own, expected) => {
  expect(wrong(capacity, own)).toContain(expected);
});

test('rejects machines without user data', () => {
  const { plan, problems } = safePlanCluster(makeCluster(), makeCapacity(), {
    controlPlane: { a: 'x', b: 'x' },
    pools: {},
  });
  expect(plan).toBeUndefined();
  expect(problems.map(({ path }) => formatPath(path))).toEqual([
    'userData.controlPlane.c',
    'userData.pools.general',
    'userData.pools.memory',
    'userData.pools.training',
    'userData.pools.batch',
  ]);
});

/** Returns every set of tags in a plan, at any depth. */
function tagSets(value: unknown): Tags[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'tags' && !Array.isArray(inner) ? [inner as Tags] : tagSets(inner),
  );
}

test('everything that supports tags has those of its cluster, its component and the user', () => {
  const sets = tagSets(planned({ tags: { 'cost-center': '1234' } }));
  expect(sets.length).toBeGreaterThan(80);
  for (const tags of sets) {
    expect(tags).toMatchObject({ 'pinion/cluster': 'shop', 'cost-center': '1234' });
    expect(tags['pinion/part']).toMatch(/^(network|identity|control-plane|nodes|storage)$/);
    expect(Object.keys(tags).length).toBeLessThanOrEqual(50);
  }
});

/** Returns the names of resources within the stack, each with its type. */
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

test('names are unique for each type of resource', () => {
  const names = namesOf(planned());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('everything that a plan references is in it', () => {
  for (const egress of ['nat-in-each-zone', 'one-nat', 'endpoints'] as const) {
    const plan = planned({ network: { egress } });
    const { subnets, routeTables, natGateways, endpoints, api } = plan.network;
    const has = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    const referenced = [
      ...natGateways.map(({ subnet }) => subnet),
      ...endpoints.flatMap((endpoint) => endpoint.subnets ?? []),
      ...api.subnets,
      ...plan.controlPlane.flatMap(({ networkInterface, group }) => [networkInterface.subnet, group.subnet]),
      ...plan.nodeGroups.flatMap(({ group }) => group.subnets),
    ];
    expect(has(subnets)).toEqual(expect.arrayContaining(referenced));
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
    const machines = [...plan.controlPlane, ...plan.nodeGroups].map(
      ({ launchTemplate }) => launchTemplate.securityGroup,
    );
    expect(groups).toEqual(expect.arrayContaining(machines));
    const profiles = plan.roles.map(({ instanceProfile }) => instanceProfile);
    for (const { launchTemplate } of [...plan.controlPlane, ...plan.nodeGroups])
      expect(profiles).toContain(launchTemplate.args.iamInstanceProfile.name);
  }
});

test('every machine requires metadata session tokens and encrypts its root volume', () => {
  const { controlPlane: controlPlaneNodes, nodeGroups } = planned();
  for (const { launchTemplate } of [...controlPlaneNodes, ...nodeGroups]) {
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

test('subnets of any plan are disjoint, and adding zones or pools changes no existing one', () => {
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
      expect(after.controlPlane).toEqual(before.controlPlane);
    }),
    { numRuns: 30 },
  );
});
