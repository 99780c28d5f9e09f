import fc from 'fast-check';
import { type FreeNode, type MemberNeed } from '../../../lib/controller/run/run-plan';
import { packMembers, nodesWithoutClaims } from '../../../lib/controller/run/pack-members';
import { totalRequests, freeCapacityOf } from '../../../lib/controller/run/free-capacity';
import { type PodFacts } from '../../../lib/controller/observed/pod-facts';

const node = (name: string, overrides: Partial<FreeNode> = {}): FreeNode => ({
  name,
  labels: { 'kubernetes.io/hostname': name },
  taints: [],
  free: { cpu: 4000, memory: 8e9, pods: 10 },
  ...overrides,
});
const need = (overrides: Partial<MemberNeed> = {}): MemberNeed => ({
  job: 'app',
  count: 1,
  leader: false,
  labels: { app: 'a' },
  pod: { containers: [] },
  requests: { cpu: 1000 },
  ...overrides,
});
const placedOf = (needs: readonly MemberNeed[], nodes: readonly FreeNode[]) =>
  Object.fromEntries(packMembers(needs, nodes).placed);
const gpu = { key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' };
const apart = (topologyKey: string) => ({
  containers: [],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app: 'a' } } }],
    },
  },
});
const inZone = (operator: 'In' | 'NotIn' | 'Exists' | 'Gt', values?: string[]) => ({
  containers: [],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator, ...(values && { values }) }] }],
      },
    },
  },
});

test.each<[string, Partial<MemberNeed>, Partial<FreeNode>, number]>([
  ['requests are the limit', { count: 9 }, {}, 4],
  ['the number of pods is the limit', { count: 9, requests: {} }, { free: { pods: 3 } }, 3],
  ['a resource that the node does not have', { requests: { 'nvidia.com/gpu': 1 } }, {}, 0],
  [
    'a node selector that matches',
    { pod: { containers: [], nodeSelector: { pool: 'a' } } },
    { labels: { pool: 'a' } },
    1,
  ],
  [
    'a node selector that does not match',
    { pod: { containers: [], nodeSelector: { pool: 'a' } } },
    { labels: { pool: 'b' } },
    0,
  ],
  ['a taint that is not tolerated', {}, { taints: [gpu] }, 0],
  ['a PreferNoSchedule taint', {}, { taints: [{ ...gpu, effect: 'PreferNoSchedule' }] }, 1],
  [
    'a taint tolerated by key',
    { pod: { containers: [], tolerations: [{ key: gpu.key, operator: 'Exists' }] } },
    { taints: [gpu] },
    1,
  ],
  [
    'a taint tolerated with another value',
    { pod: { containers: [], tolerations: [{ key: gpu.key, value: 'x' }] } },
    { taints: [gpu] },
    0,
  ],
  [
    'a toleration of everything',
    { pod: { containers: [], tolerations: [{ operator: 'Exists' }] } },
    { taints: [gpu] },
    1,
  ],
  ['affinity In', { pod: inZone('In', ['a', 'b']) }, { labels: { zone: 'b' } }, 1],
  ['affinity NotIn', { pod: inZone('NotIn', ['b']) }, { labels: { zone: 'b' } }, 0],
  ['affinity Exists', { pod: inZone('Exists') }, { labels: {} }, 0],
  ['affinity Gt', { pod: inZone('Gt', ['3']) }, { labels: { zone: '4' } }, 1],
  ['one per host by anti-affinity', { count: 3, pod: apart('kubernetes.io/hostname') }, {}, 1],
])('%s', (_, member, capacity, count) => {
  expect(placedOf([need(member)], [node('one', capacity)])).toEqual({ app: count });
});

test('required spread keeps the skew', () => {
  const spread = {
    containers: [],
    topologySpreadConstraints: [
      {
        topologyKey: 'zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule' as const,
        labelSelector: { matchLabels: { app: 'a' } },
      },
    ],
  };
  const zones = [
    node('a', { labels: { zone: 'a' } }),
    node('b', { labels: { zone: 'b' }, free: { cpu: 1000, pods: 10 } }),
  ];
  expect(placedOf([need({ count: 5, pod: spread })], zones)).toEqual({ app: 3 });
});

test('the leader is placed first, then the largest', () => {
  const needs = [
    need({ job: 'small', count: 4 }),
    need({ job: 'large', requests: { cpu: 3000 } }),
    need({ job: 'leader', leader: true, requests: { cpu: 500 } }),
  ];
  expect(placedOf(needs, [node('one')])).toEqual({ leader: 1, large: 1, small: 0 });
});

test('placed members fit, and the remaining capacity is reduced by them', () => {
  const amounts = fc.record({ cpu: fc.integer({ min: 0, max: 5000 }), memory: fc.integer({ min: 0, max: 9 }) });
  const needs = fc.array(fc.record({ count: fc.integer({ min: 1, max: 6 }), requests: amounts }), { maxLength: 4 });
  const nodes = fc.array(
    fc.record({ cpu: fc.integer({ min: 0, max: 9000 }), memory: fc.integer({ min: 0, max: 20 }), pods: fc.nat(5) }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(needs, nodes, (requested, offered) => {
      const members = requested.map((one, at) => need({ ...one, job: `job-${at}` }));
      const before = offered.map((free, at) => node(`node-${at}`, { free }));
      const { placed, remaining } = packMembers(members, before);
      for (const { free } of remaining)
        for (const amount of Object.values(free)) expect(amount).toBeGreaterThanOrEqual(0);
      const sum = (freeNodes: readonly FreeNode[], resource: string) =>
        freeNodes.reduce((total, { free }) => total + (free[resource] ?? 0), 0);
      for (const resource of ['cpu', 'memory'] as const)
        expect(sum(before, resource) - sum(remaining, resource)).toBe(
          members.reduce((total, { job, requests }) => total + (placed.get(job) ?? 0) * (requests[resource] ?? 0), 0),
        );
    }),
  );
});

test('gang reservations reduce capacity', () => {
  expect(nodesWithoutClaims([node('one')], [[need({ count: 3 })], [need()]]).map(({ free }) => free)).toEqual([
    { cpu: 0, memory: 8e9, pods: 6 },
  ]);
});

test('free capacity is that of ready nodes, less the requests of pods that have not ended', () => {
  const pod = (on: string, phase: PodFacts['phase']) =>
    ({ node: on, phase, requests: { cpu: 1500 } }) as unknown as PodFacts;
  const whole = { ...node('one'), unschedulable: false, ready: true, allocatable: { cpu: 4000, pods: 10 } };
  const freeNodes = freeCapacityOf(
    [whole, { ...whole, name: 'two', unschedulable: true }, { ...whole, name: 'three', ready: false }],
    (on) =>
      totalRequests(
        [pod('one', 'Running'), pod('one', 'Succeeded'), pod('two', 'Running')].filter((one) => one.node === on),
      ),
  );
  expect(freeNodes.map(({ name, free }) => [name, free])).toEqual([['one', { cpu: 2500, pods: 9 }]]);
});
