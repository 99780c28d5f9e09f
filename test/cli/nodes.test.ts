import { metadataKeys } from '../../lib/api';
import { blockersOf, selects } from '../../lib/operations';
import { reportNodes } from '../../lib/cli/commands/nodes/node-report';
import { nodesTable, nodeText } from '../../lib/cli/commands/nodes/nodes-table';
import { type LiveObject } from '../../lib/kube';

type Fields = Readonly<Record<string, unknown>>;
let count = 0;
const live = (
  kind: string,
  name: string,
  namespace: string | undefined,
  metadata: Fields,
  body: Fields,
): LiveObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: `u${count++}`,
    resourceVersion: '1',
    ...metadata,
  },
  ...body,
});
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const owned = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'owner', controller: true }],
});
const node = (name: string, more: Fields = {}) => live('Node', name, undefined, {}, { spec: more, status: ready });
const pod = (name: string, nodeName: string, metadata: Fields = {}, spec: Fields = {}, status: Fields = {}) =>
  live('Pod', name, 'shop', metadata, {
    spec: { nodeName, ...spec },
    status: { phase: 'Running', ...ready, ...status },
  });
const managed = (name: string, tier = 'standard') => ({
  labels: {
    [metadataKeys.kind]: 'PinterestService',
    [metadataKeys.workload]: name,
    [metadataKeys.team]: 'carts',
    [metadataKeys.tier]: tier,
  },
  annotations: { [metadataKeys.owner]: 'carts' },
  ...owned('ReplicaSet', `${name}-1`),
});
const budget = (allowed: number, more: Fields = {}) =>
  live(
    'PodDisruptionBudget',
    'cart',
    'shop',
    {},
    {
      spec: { selector: { matchLabels: { [metadataKeys.workload]: 'cart' } }, ...more },
      status: { disruptionsAllowed: allowed, currentHealthy: 2, desiredHealthy: 2 },
    },
  );
const project = live('Project', 'shop', undefined, {}, { spec: { team: 'shop', onCall: '#shop-oncall' } });
const daemon = (nodeName: string) => pod(`agent-${nodeName}`, nodeName, owned('DaemonSet', 'agent'));

const clusterState = {
  nodes: [node('a'), node('b', { unschedulable: true }), node('c')],
  pods: [
    daemon('a'),
    pod('old-report', 'a', owned('Job', 'report-1'), {}, { phase: 'Succeeded' }),
    daemon('b'),
    pod('cart-1-x', 'b', managed('cart', 'critical')),
    pod('cart-1-y', 'b', managed('cart', 'critical')),
    pod(
      'web-5f-z',
      'b',
      { labels: { 'pod-template-hash': '5f' }, ...owned('ReplicaSet', 'web-5f') },
      { priorityClassName: 'standard' },
    ),
    pod('cart-1-z', 'c', managed('cart', 'critical')),
    pod('alone', 'c'),
    pod('scratch', 'c', managed('search'), {
      volumes: [
        { name: 'index', emptyDir: {} },
        { name: 'pinion-logs', emptyDir: {} },
      ],
    }),
  ],
  budgets: [budget(1)],
  projects: [project],
};

test('prints one line per node with its workloads and whether it can be drained', () => {
  expect(`\n${nodesTable(reportNodes(clusterState))}`).toBe(`
NODE  STATUS          DRAIN      PODS  DAEMONS  PROJECTS  TEAMS       TIERS              BLOCKED BY
a     Ready           idle       0     1        -         -           -                  -
b     Ready,Cordoned  drainable  3     1        shop      carts,shop  critical,standard  -
c     Ready           blocked    3     0        shop      carts,shop  critical,standard  shop/PinterestService/search,shop/Pod/alone
`);
});

test('prints details of one node: workloads with their owners, pods that a drain ignores, and drain blockers', () => {
  const [a, , c] = reportNodes({ ...clusterState, budgets: [budget(0)] }).map(nodeText);
  expect(`\n${a}`).toBe(`
a: Ready; can be recycled now: only daemon pods and finished pods are left

ignored by a drain: 1 pod of daemons, 1 pod ended
`);
  expect(`\n${c}`).toBe(`
c: Ready; cannot be recycled: something blocks a drain

PROJECT  WORKLOAD                 PODS  TEAM   OWNER  ON CALL       TIER
shop     PinterestService/cart    1     carts  carts  #shop-oncall  critical
shop     PinterestService/search  1     carts  carts  #shop-oncall  standard
shop     Pod/alone                1     shop   shop   #shop-oncall  -

blocking a drain:
  shop/alone: NoController: no controller recreates it; delete it, or contact its owner
  shop/cart-1-z: DisruptionBudget: PodDisruptionBudget cart allows no disruptions: 2 pods are healthy and 2 are required; wait for more healthy pods, or add a replica
  shop/scratch: LocalStorage: its local volume index would be lost; drain with --delete-emptydir-data, or list the volume in the annotation cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes
`);
});

const cart = (metadata: Fields = {}, spec: Fields = {}, status: Fields = {}) =>
  pod('cart-1-x', 'a', { ...managed('cart'), ...metadata }, spec, status);
const unready = { conditions: [{ type: 'Ready', status: 'False' }] };

test.each<[string, LiveObject, readonly LiveObject[], readonly string[]]>([
  ['a pod with a budget that allows a disruption', cart(), [budget(1)], []],
  ['a pod with a budget that allows none', cart(), [budget(0)], ['DisruptionBudget']],
  [
    'a pod with a budget in another namespace',
    cart(),
    [{ ...budget(0), metadata: { ...budget(0).metadata, namespace: 'other' } }],
    [],
  ],
  ['a pod with two budgets', cart(), [budget(1), budget(1)], ['MultipleBudgets']],
  [
    'an unready pod with a budget that always allows its eviction',
    cart({}, {}, unready),
    [budget(0, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
    [],
  ],
  ['an unready pod while enough others are healthy', cart({}, {}, unready), [budget(0)], []],
  ['a pod that has not started', cart({}, {}, { phase: 'Pending', conditions: [] }), [budget(0)], []],
  ['a pod that is terminating', cart({ deletionTimestamp: '2026-01-01T00:00:00Z' }), [budget(0)], []],
  ['a finished pod', cart({}, {}, { phase: 'Failed' }), [budget(0)], []],
  ['a daemon pod', cart(owned('DaemonSet', 'agent')), [budget(0)], []],
  ['a static pod', cart({ annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [] }), [], []],
  [
    'a pod with a do-not-evict annotation',
    cart({ annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    [],
    ['DoNotEvict'],
  ],
  [
    'a pod that must not be evicted',
    cart({ annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } }),
    [],
    ['DoNotEvict'],
  ],
  ['a pod with a volume in memory', cart({}, { volumes: [{ name: 'a', emptyDir: { medium: 'Memory' } }] }), [], []],
  ['a pod with a volume on the node', cart({}, { volumes: [{ name: 'a', emptyDir: {} }] }), [], ['LocalStorage']],
  [
    'a pod with a volume on the node that may be lost',
    cart(
      { annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': 'b, a' } },
      { volumes: [{ name: 'a', emptyDir: {} }] },
    ),
    [],
    [],
  ],
  ['a pod without a controller', cart({ ownerReferences: [] }), [budget(0)], ['NoController', 'DisruptionBudget']],
])('%s', (_, target, budgets, reasons) => {
  expect(blockersOf(target, budgets).map(({ reason }) => reason)).toEqual(reasons);
});

test.each([
  [{}, { a: '1' }, true],
  [undefined, { a: '1' }, false],
  [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
  [{ matchLabels: { a: '1' } }, {}, false],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] }, { a: '2' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, { a: '1' }, false],
  [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '1' }, false],
])('selector %j on labels %j: %s', (selector, labels, matches) => {
  expect(selects(selector, labels as Record<string, string>)).toBe(matches);
});
