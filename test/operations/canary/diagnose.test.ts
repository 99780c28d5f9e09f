import { type CanaryFacts, type CanaryPart, diagnose } from '../../../lib/operations';

const well: CanaryFacts = {
  kind: 'PinterestService',
  door: 'controller',
  step: 'ready',
  waitedFor: 'all of it to be ready',
  custom: { generation: 1, observedGeneration: 1, conditions: [], isEnding: false, finalizers: [] },
  natives: [{ kind: 'Deployment', name: 'canary', isSeen: true, isEnding: false, conditions: [] }],
  pods: [
    {
      name: 'canary-1',
      node: 'node-1',
      scheduling: 'True',
      isReady: true,
      isEnding: false,
      waiting: [],
      hasBegun: true,
    },
  ],
  warnings: [],
  leases: { scheduler: 1, controllerManager: 1, controller: 1 },
  nodes: { all: 3, ready: 3 },
  quota: { wanted: { pods: '60' }, hard: { pods: '60' }, used: { pods: '1' } },
  writes: { stored: 12, cached: 8 },
};
const [pod] = well.pods;
const waitingPod = { name: 'canary-1', isReady: false, isEnding: false, waiting: [], hasBegun: false };
const refusal = (message: string, status = 403) => ({ of: 'api-server' as const, status, message });
const container = (name: string, reason: string) => [
  { ...waitingPod, node: 'node-1', waiting: [{ container: name, reason, message: '' }] },
];

type Seen = { readonly [Fact in keyof CanaryFacts]?: CanaryFacts[Fact] | undefined };
const cases: readonly (readonly [string, Seen, CanaryPart, RegExp])[] = [
  [
    'a scheduler without a sign of life',
    { pods: [waitingPod], leases: { scheduler: 90 } },
    'scheduler',
    /does not run.*for 90 s/,
  ],
  ['a scheduler that holds no lease', { pods: [waitingPod], leases: {} }, 'scheduler', /the scheduler does not run/],
  [
    'a controller manager that is gone',
    { natives: [{ kind: 'Deployment', name: 'canary', isSeen: false, isEnding: false, conditions: [] }], pods: [] },
    'controller-manager',
    /nobody looked at Deployment canary/,
  ],
  [
    'a controller that does not run',
    {
      custom: { generation: 1, conditions: [], isEnding: false, finalizers: [] },
      natives: [],
      pods: [],
      leases: { controller: 300 },
    },
    'controller',
    /does not run.*300 s/,
  ],
  [
    'a controller that is stuck',
    { custom: { generation: 2, observedGeneration: 1, conditions: [], isEnding: false, finalizers: [] } },
    'controller',
    /stuck or behind/,
  ],
  [
    'a policy that refuses',
    {
      call: refusal(
        "pinterestservices.pinterest.com \"canary\" is forbidden: ValidatingAdmissionPolicy 'strict' with binding 'strict' denied request: no",
      ),
    },
    'admission',
    /admission policy strict refuses/,
  ],
  [
    'a webhook that is away',
    {
      call: refusal('Internal error occurred: failed calling webhook "pods.example.com": failed to call webhook', 500),
    },
    'admission',
    /webhook pods\.example\.com does not answer/,
  ],
  [
    'a quota that holds back its small pods',
    {
      pods: [],
      warnings: [
        {
          reason: 'FailedCreate',
          message:
            'pods "canary-1" is forbidden: exceeded quota: project, requested: pods=1, used: pods=0, limited: pods=0',
        },
      ],
    },
    'quota',
    /quota project refuses/,
  ],
  [
    'a quota that holds back nothing',
    { step: 'quota-refusal', quota: { wanted: { pods: '60' } } },
    'quota',
    /has no quota/,
  ],
  [
    'a quota of another value',
    { quota: { wanted: { pods: '60' }, hard: { pods: '6' } } },
    'quota',
    /pods is 6, and 60 by its Project/,
  ],
  ['etcd that is slow', { writes: { stored: 4000, cached: 20 } }, 'etcd', /4000 ms, a read from memory 20 ms/],
  ['an API server that does not answer', { call: refusal('connect ECONNREFUSED', 0) }, 'api-server', /does not answer/],
  [
    'nodes that are not ready',
    { pods: [{ ...waitingPod, scheduling: '0/3 nodes are available' }], nodes: { all: 3, ready: 0 } },
    'nodes',
    /no node is ready, of 3/,
  ],
  [
    'no node with room',
    { pods: [{ ...waitingPod, scheduling: '0/3 nodes are available: 3 Insufficient cpu.' }] },
    'capacity',
    /Insufficient cpu/,
  ],
  [
    'a node that does not start pods',
    { pods: [{ ...waitingPod, node: 'node-1' }] },
    'nodes',
    /node node-1 does not start/,
  ],
  [
    'an image that does not pull',
    { pods: container('canary', 'ImagePullBackOff') },
    'images',
    /container canary of pod canary-1 does not pull/,
  ],
  [
    'a registrar that crashes',
    { pods: container('pinion-traffic', 'CrashLoopBackOff') },
    'zookeeper',
    /the registrar fails/,
  ],
  [
    'a part of the profile that crashes',
    { pods: container('pinion-logs', 'CrashLoopBackOff') },
    'runtime-profile',
    /container pinion-logs/,
  ],
  [
    'a registrar that is not registered',
    { step: 'registered', call: { of: 'registrar', status: 503, message: 'no session' } },
    'zookeeper',
    /no session/,
  ],
  [
    'names that nobody resolves',
    { step: 'dns', call: { of: 'dns', status: 0, message: 'ECONNREFUSED' } },
    'dns',
    /the DNS of the cluster does not answer/,
  ],
  [
    'a submission service that is away',
    {
      door: 'submission',
      step: 'create',
      call: { of: 'submission', status: 0, message: 'http://submission does not answer: ECONNREFUSED' },
    },
    'submission',
    /does not answer/,
  ],
  [
    'a signature that is not trusted',
    {
      door: 'submission',
      step: 'create',
      call: { of: 'submission', status: 403, message: 'It would be refused: was published by somebody/else' },
    },
    'artifacts',
    /does not trust/,
  ],
  [
    'a garbage collector that does not run',
    { step: 'delete', custom: undefined },
    'controller-manager',
    /garbage collector/,
  ],
  [
    'a finalizer that nobody takes away',
    { step: 'delete', custom: { generation: 1, conditions: [], isEnding: true, finalizers: ['example.com/keep'] } },
    'controller',
    /example\.com\/keep/,
  ],
  [
    'what the controller says itself',
    {
      pods: pod ? [pod] : [],
      custom: {
        generation: 1,
        observedGeneration: 1,
        conditions: [],
        isEnding: false,
        finalizers: [],
        cause: { owner: 'platform', reason: 'RuntimeClassNotFound', message: 'no class x' },
      },
    },
    'controller',
    /RuntimeClassNotFound: no class x/,
  ],
  [
    'a policy that refuses what the controller makes',
    {
      pods: [],
      natives: [],
      custom: {
        generation: 1,
        observedGeneration: 1,
        conditions: [],
        isEnding: false,
        finalizers: [],
        cause: { owner: 'application', reason: 'PolicyDenied', message: 'denied by the admission policy strict' },
      },
    },
    'admission',
    /admission policy strict/,
  ],
  ['nothing that is known', {}, 'unknown', /waited in vain for all of it to be ready/],
];

test.each(cases)('%s is named', (_, facts, part, words) => {
  const found = diagnose({ ...well, ...facts } as CanaryFacts);
  expect([found.part, found.message]).toEqual([part, expect.stringMatching(words)]);
  expect(found.next).not.toBe('');
});
