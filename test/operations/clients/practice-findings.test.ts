import { type PracticeName } from '../../../lib/operations';
import { reportOf, type TestRequest } from './audit-events';

const repeat = (count: number, request: (index: number) => TestRequest): readonly TestRequest[] =>
  Array.from({ length: count }, (_, index) => request(index));
const practicesOf = (requests: readonly TestRequest[], gateway?: string): readonly PracticeName[] =>
  reportOf(requests, { ...(gateway !== undefined && { gateway }) }).findings.map(({ practice }) => practice);

/** Requests that reach the threshold of each practice exactly. */
const atThreshold: Readonly<Record<PracticeName, readonly TestRequest[]>> = {
  ListWithoutLimit: repeat(10, (index) => ({ at: index * index, uri: '/api/v1/pods?resourceVersion=5' })),
  ListWithoutVersion: repeat(30, (index) => ({
    at: index * 19,
    uri: `/api/v1/pods?limit=5&labelSelector=n%3D${index}`,
  })),
  Polling: repeat(30, (index) => ({ at: index * 60, verb: 'get', name: 'one', namespace: 'shop' })),
  WatchFlapping: repeat(10, (index) => ({
    at: index * index,
    verb: 'watch',
    uri: '/api/v1/pods?watch=true&resourceVersion=5',
    seconds: 59,
    namespace: 'shop',
  })),
  PodsOfAllNodes: repeat(4, (index) => ({ node: `node-${index}`, uri: '/api/v1/pods?resourceVersion=0' })),
  UnknownClient: repeat(10, (index) => ({ at: index * index, verb: 'get', name: `n${index}`, userAgent: 'curl/8.5' })),
  DirectAccess: [{ verb: 'get', name: 'one' }],
};

describe.each(Object.entries(atThreshold) as [PracticeName, readonly TestRequest[]][])('%s', (practice, requests) => {
  const gateway = practice === 'DirectAccess' ? 'gateway' : undefined;
  test('is a finding at its threshold, and not below', () => {
    expect(practicesOf(requests, gateway)).toEqual([practice]);
    expect(practicesOf(requests.slice(1), gateway)).toEqual([]);
  });
  test('counts each client on its own', () => {
    const divided = requests.map((request, index) => ({ ...request, user: `user-${index % 2}` }));
    if (requests.length > 1) expect(practicesOf(divided, gateway)).toEqual([]);
  });
});

test('a finding names who, what, how often, at what cost, the contact and the remedy', () => {
  const polls = repeat(40, (index) => ({ at: index * 2, verb: 'get', name: 'one', namespace: 'shop', seconds: 0.5 }));
  const [finding] = reportOf(polls).findings;
  expect(finding).toMatchObject({ practice: 'Polling', project: 'shop', team: 'retail', onCall: '#shop-oncall' });
  expect(finding?.message).toBe(
    'project shop: system:serviceaccount:shop:cart (cart) polled pods of namespace shop with get 40 times, every 2.0 seconds; this cost 20.0 seat-seconds, 0.26 seats on average; on call: #shop-oncall (team retail); watch the object instead, with an informer or kubectl wait',
  );
});

test('a report can be made twice', () => {
  const pods = repeat(12, (index) => ({ at: index, uri: '/api/v1/pods?resourceVersion=5' }));
  expect(reportOf(pods).findings[0]).toMatchObject({ requests: 12, verb: 'list', resource: 'pods', namespace: '' });
});

test.each<[string, readonly TestRequest[]]>([
  ['irregular reads', repeat(60, (index) => ({ at: (index * index) / 3, verb: 'get', name: 'one' }))],
  ['slow reads', repeat(40, (index) => ({ at: index * 61, verb: 'get', name: 'one' }))],
  ['reads of many objects', repeat(100, (index) => ({ at: index, verb: 'get', name: `n${index}` }))],
  [
    'leader election',
    repeat(100, (index) => ({
      at: index * 2,
      verb: 'get',
      name: 'one',
      resource: 'leases',
      group: 'coordination.k8s.io',
    })),
  ],
  [
    'long watches',
    repeat(20, (index) => ({ at: index, verb: 'watch', uri: '/api/v1/pods?resourceVersion=5', seconds: 60 })),
  ],
  [
    'informers that start on many nodes',
    repeat(20, (index) => ({ uri: '/api/v1/pods?resourceVersion=0', node: 'one', at: index })),
  ],
  [
    'agents that select their node',
    repeat(20, (index) => ({
      node: `n${index}`,
      uri: '/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3Dx',
    })),
  ],
  ['pages', repeat(100, (index) => ({ at: index / 10, uri: `/api/v1/pods?limit=500&continue=${index}` }))],
  ['rare lists', repeat(60, (index) => ({ at: index * 67, uri: '/api/v1/pods?resourceVersion=5' }))],
  ['the API server itself', repeat(60, (index) => ({ user: 'system:apiserver', at: index, userAgent: '' }))],
])('%s violate no practice', (_, requests) => expect(practicesOf(requests)).toEqual([]));

test.each<[string, TestRequest]>([
  ['the gateway', { user: 'gateway' }],
  ['a client of the gateway', { sender: 'gateway' }],
  ['a component of the control plane', { user: 'system:kube-scheduler' }],
  ['a node', { user: 'system:node:one' }],
  ['a service account of kube-system', { user: 'system:serviceaccount:kube-system:coredns' }],
  ['a service account of a namespace without a Project', { user: 'system:serviceaccount:pinion-controller:pinion' }],
  ['a user who is a member of a Project', { user: 'olga', groups: ['oidc:shop'] }],
  ['an administrator', { user: 'root', groups: ['system:masters'] }],
])('%s is no direct client', (_, request) => expect(practicesOf([request], 'gateway')).toEqual([]));

test('a client of another impersonator is direct', () =>
  expect(practicesOf([{ sender: 'someone' }], 'gateway')).toEqual(['DirectAccess']));

describe('a gateway that asks for versions', () => {
  const installed = 'system:serviceaccount:pinion-gateway:pinion-gateway';
  const asks = (user: string, userAgent: string): readonly TestRequest[] =>
    repeat(60, (index) => ({ user, userAgent, at: index, uri: '/api/v1/pods?limit=1' }));

  test('violates no practice', () => {
    expect(practicesOf(asks('gateway', 'other/1'), 'gateway')).toEqual([]);
    expect(practicesOf(asks(installed, 'pinion-gateway'))).toEqual([]);
  });

  test('is no other account or program', () => {
    expect(practicesOf(asks(installed, 'other/1'))).toEqual(['ListWithoutVersion', 'Polling']);
    expect(practicesOf(asks('system:serviceaccount:shop:cart', 'pinion-gateway'), installed)).toEqual([
      'ListWithoutVersion',
      'Polling',
      'DirectAccess',
    ]);
  });
});
