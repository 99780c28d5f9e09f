import { type CanaryFacts, type CanaryPart, diagnose } from '../../../lib/operations';

const healthy: CanaryFacts = {
  kind: 'PinterestService',
  deploymentPath: 'controller',
  step: 'ready',
  waitedFor: 'the workload to be ready',
  custom: { generation: 1, observedGeneration: 1, conditions: [], isTerminating: false, finalizers: [] },
  natives: [{ kind: 'Deployment', name: 'canary', isObserved: true, isTerminating: false, conditions: [] }],
  pods: [
    {
      name: 'canary-1',
      node: 'node-1',
      scheduling: 'True',
      isReady: true,
      isTerminating: false,
      waiting: [],
      hasStarted: true,
    },
  ],
  warnings: [],
  leases: { scheduler: 1, controllerManager: 1, controller: 1 },
  nodes: { all: 3, ready: 3 },
  quota: { desired: { pods: '60' }, hard: { pods: '60' }, used: { pods: '1' } },
  writes: { stored: 12, cached: 8 },
};
const [pod] = healthy.pods;
const waitingPod = { name: 'canary-1', isReady: false, isTerminating: false, waiting: [], hasStarted: false };
const rejection = (message: string, status = 403) => ({ service: 'api-server' as const, status, message });
const container = (name: string, reason: string) => [
  { ...waitingPod, node: 'node-1', waiting: [{ container: name, reason, message: '' }] },
];

type FactOverrides = { readonly [Fact in keyof CanaryFacts]?: CanaryFacts[Fact] | undefined };
const cases: readonly (readonly [string, FactOverrides, CanaryPart, RegExp])[] = [
  [
    'a scheduler that does not renew its lease',
    { pods: [waitingPod], leases: { scheduler: 90 } },
    'scheduler',
    /is not running.*for 90 s/,
  ],
  ['a scheduler that holds no lease', { pods: [waitingPod], leases: {} }, 'scheduler', /the scheduler is not running/],
  [
    'a controller manager that is not running',
    {
      natives: [{ kind: 'Deployment', name: 'canary', isObserved: false, isTerminating: false, conditions: [] }],
      pods: [],
    },
    'controller-manager',
    /Deployment canary is unobserved/,
  ],
  [
    'a controller that does not run',
    {
      custom: { generation: 1, conditions: [], isTerminating: false, finalizers: [] },
      natives: [],
      pods: [],
      leases: { controller: 300 },
    },
    'controller',
    /is not running.*300 s/,
  ],
  [
    'a controller that is stuck',
    { custom: { generation: 2, observedGeneration: 1, conditions: [], isTerminating: false, finalizers: [] } },
    'controller',
    /stuck or overloaded/,
  ],
  [
    'a policy that rejects the workload',
    {
      call: rejection(
        "pinterestservices.pinterest.com \"canary\" is forbidden: ValidatingAdmissionPolicy 'strict' with binding 'strict' denied request: no",
      ),
    },
    'admission',
    /admission policy strict rejects/,
  ],
  [
    'an unavailable webhook',
    {
      call: rejection(
        'Internal error occurred: failed calling webhook "pods.example.com": failed to call webhook',
        500,
      ),
    },
    'admission',
    /webhook pods\.example\.com does not respond/,
  ],
  [
    "a quota that rejects the canary's small pods",
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
    /quota project rejects/,
  ],
  [
    'a quota that blocks nothing',
    { step: 'quota-refusal', quota: { desired: { pods: '60' } } },
    'quota',
    /has no quota/,
  ],
  [
    'a quota with a different value',
    { quota: { desired: { pods: '60' }, hard: { pods: '6' } } },
    'quota',
    /pods is 6, but 60 in its Project/,
  ],
  ['etcd that is slow', { writes: { stored: 4000, cached: 20 } }, 'etcd', /4000 ms, a read from memory 20 ms/],
  [
    'an API server that does not respond',
    { call: rejection('connect ECONNREFUSED', 0) },
    'api-server',
    /does not respond/,
  ],
  [
    'nodes that are not ready',
    { pods: [{ ...waitingPod, scheduling: '0/3 nodes are available' }], nodes: { all: 3, ready: 0 } },
    'nodes',
    /none of 3 nodes is ready/,
  ],
  [
    'no node with free capacity',
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
    'an image that cannot be pulled',
    { pods: container('canary', 'ImagePullBackOff') },
    'images',
    /container canary of pod canary-1 cannot be pulled/,
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
    { step: 'registered', call: { service: 'registrar', status: 503, message: 'no session' } },
    'zookeeper',
    /no session/,
  ],
  [
    'names that do not resolve',
    { step: 'dns', call: { service: 'dns', status: 0, message: 'ECONNREFUSED' } },
    'dns',
    /the DNS of the cluster does not respond/,
  ],
  [
    'an unavailable submission service',
    {
      deploymentPath: 'submission',
      step: 'create',
      call: { service: 'submission', status: 0, message: 'http://submission does not respond: ECONNREFUSED' },
    },
    'submission',
    /does not respond/,
  ],
  [
    'a signature that is not trusted',
    {
      deploymentPath: 'submission',
      step: 'create',
      call: {
        service: 'submission',
        status: 403,
        message: 'The deployment would be rejected: was published by another/repository',
      },
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
    'a finalizer that is never removed',
    {
      step: 'delete',
      custom: { generation: 1, conditions: [], isTerminating: true, finalizers: ['example.com/keep'] },
    },
    'controller',
    /example\.com\/keep/,
  ],
  [
    'the cause that the controller reports',
    {
      pods: pod ? [pod] : [],
      custom: {
        generation: 1,
        observedGeneration: 1,
        conditions: [],
        isTerminating: false,
        finalizers: [],
        cause: { owner: 'platform', reason: 'RuntimeClassNotFound', message: 'no class x' },
      },
    },
    'controller',
    /RuntimeClassNotFound: no class x/,
  ],
  [
    'a policy that rejects objects of the controller',
    {
      pods: [],
      natives: [],
      custom: {
        generation: 1,
        observedGeneration: 1,
        conditions: [],
        isTerminating: false,
        finalizers: [],
        cause: { owner: 'application', reason: 'PolicyDenied', message: 'denied by the admission policy strict' },
      },
    },
    'admission',
    /admission policy strict/,
  ],
  ['an unknown cause', {}, 'unknown', /timed out waiting for the workload to be ready/],
];

test.each(cases)('%s is diagnosed', (_, facts, part, pattern) => {
  const found = diagnose({ ...healthy, ...facts } as CanaryFacts);
  expect([found.part, found.message]).toEqual([part, expect.stringMatching(pattern)]);
  expect(found.next).not.toBe('');
});
