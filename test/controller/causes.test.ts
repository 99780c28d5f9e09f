import { ApiError } from '../../lib/kube';
import { report } from '../../lib/controller/report/report-workload';
import { makeCronJob, makeDaemon, makeService, makeStatefulSet } from '../../lib/testing';
import {
  childAt,
  conditionIn,
  noon,
  pod,
  progress,
  reportInput,
  type PodOptions,
  type ObservedDifferences,
} from './report-input';

/** A rollout in which one of two pods of the newest version is not available. */
const rolling = {
  'Deployment/app': {
    observedGeneration: 2,
    replicas: 2,
    readyReplicas: 1,
    updatedReplicas: 2,
    availableReplicas: 1,
    conditions: [progress('ReplicaSetUpdated', 'is progressing')],
  },
};
const service = makeService({ replicas: 2 });
const causeOf = (seen: ObservedDifferences, input: Parameters<typeof reportInput>[0] = service) =>
  report(reportInput(input, { statuses: rolling, ...seen })).status.cause;
const waiting = (reason: string, message?: string, more: object = {}) => ({
  state: { waiting: { reason, ...(message !== undefined && { message }) } },
  ...more,
});
const ended = (exitCode: number, reason = 'Error') => ({
  restartCount: 4,
  lastState: { terminated: { exitCode, reason, finishedAt: new Date(noon - 20_000).toISOString() } },
});
const crashing = (exitCode: number, reason?: string) =>
  waiting(
    'CrashLoopBackOff',
    'back-off 1m20s restarting failed container=app pod=app-new-x1_shop(1f)',
    ended(exitCode, reason),
  );
const appIs = (status: object): PodOptions => ({
  status: { phase: 'Running', containerStatuses: [{ name: 'app', ...status }] },
});
const initIs = (name: string, status: object): PodOptions => ({
  status: { initContainerStatuses: [{ name, ...status }] },
});

describe('pods that cannot be created', () => {
  const failing = (message: string, more: object = {}) => ({
    statuses: {
      'Deployment/app': {
        observedGeneration: 2,
        conditions: [
          progress('NewReplicaSetCreated', 'is created'),
          { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message },
        ],
      },
    },
    ...more,
  });

  test("an exceeded quota reports the shortage of all missing pods, and is not the application's fault", () => {
    const message =
      'pods "app-7d4b9-abcde" is forbidden: exceeded quota: project, requested: limits.memory=2Gi,requests.cpu=1500m, used: limits.memory=7Gi,requests.cpu=3, limited: limits.memory=8Gi,requests.cpu=4';
    expect(causeOf(failing(message))).toEqual({
      owner: 'quota',
      reason: 'QuotaExceeded',
      object: 'Deployment/app',
      message:
        'Pods of Deployment/app exceed the quota "project" of project shop: limits.memory: 2Gi is requested by each of the 2 missing ones, 7Gi of 8Gi is used, so 3Gi more is needed; requests.cpu: 1500m is requested by each of the 2 missing ones, 3 of 4 is used, so 2 more is needed. Raise spec.quota of Project shop, or lower the replicas or requests of this workload or another one.',
    });
  });

  test.each([
    [
      'a quota that requires resources',
      'pods "x" is forbidden: failed quota: project: must specify requests.cpu for: app; requests.memory for: app',
      'application',
      'QuotaRequiresResources',
      'requests.memory for: app',
    ],
    [
      'a quota not counted yet',
      'pods "x" is forbidden: status unknown for quota: project, resources: pods',
      'platform',
      'QuotaNotReady',
      'controller manager',
    ],
    [
      'a quota that changes at the same time',
      'Operation cannot be fulfilled on resourcequotas "project": the object has been modified; please apply your changes to the latest version and try again',
      'platform',
      'QuotaNotReady',
      'Kubernetes retries',
    ],
    [
      'a server that restarts',
      'etcdserver: request timed out',
      'platform',
      'APIServerError',
      'etcdserver: request timed out. It is tried again',
    ],
    [
      'a server that is gone',
      'create Pod app-0 in StatefulSet app failed error: Post "https://127.0.0.1:6443/api/v1/namespaces/shop/pods": unexpected EOF',
      'platform',
      'APIServerError',
      'unexpected EOF. It is tried again',
    ],
    [
      'a server that has not read its roles',
      'pods is forbidden: User "system:serviceaccount:kube-system:replicaset-controller" cannot create resource "pods" in API group "" in the namespace "shop"',
      'platform',
      'APIServerError',
      'cannot create resource',
    ],
    [
      'a server that has not read the parameters of a policy',
      "pods \"x\" is forbidden: ValidatingAdmissionPolicy 'direct-pods.pinterest.com' with binding 'direct-pods.pinterest.com' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'pinterest.com/v1, Kind=Platform'",
      'platform',
      'APIServerError',
      'It is tried again',
    ],
    [
      'a limit of the project',
      'pods "x" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
      'application',
      'LimitRange',
      'maximum memory usage per Container is 1Gi, but limit is 2Gi. Change',
    ],
    [
      'several limits of the project',
      'pods "x" is forbidden: [maximum memory usage per Container is 1Gi, but limit is 2Gi, minimum cpu usage per Container is 100m, but request is 10m]',
      'application',
      'LimitRange',
      'request is 10m. Change',
    ],
    [
      'Pod Security',
      'pods "x" is forbidden: violates PodSecurity "restricted:v1.36": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
      'application',
      'PodSecurity',
      'restricted:v1.36 of project shop: allowPrivilegeEscalation != false',
    ],
    [
      'an admission policy',
      "pods \"x\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: images need a tag",
      'application',
      'PolicyDenied',
      'no-latest: images need a tag.',
    ],
    [
      'a webhook',
      'admission webhook "check.example.com" denied the request: not signed',
      'application',
      'PolicyDenied',
      'check.example.com: not signed.',
    ],
    [
      'an unavailable webhook',
      'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: Post "https://check.svc": context deadline exceeded',
      'platform',
      'WebhookUnavailable',
      'does not respond',
    ],
    [
      'a missing service account',
      'pods "x" is forbidden: error looking up service account shop/app: serviceaccount "app" not found',
      'application',
      'ServiceAccountNotFound',
      'service account app',
    ],
    [
      'a missing priority class',
      'pods "x" is forbidden: no PriorityClass with name critical was found',
      'platform',
      'PriorityClassNotFound',
      'PriorityClass critical',
    ],
    [
      'a missing runtime class',
      'pods "x" is forbidden: pod rejected: RuntimeClass "gvisor" not found',
      'platform',
      'RuntimeClassNotFound',
      'RuntimeClass gvisor',
    ],
    [
      'a namespace that is being deleted',
      'pods "x" is forbidden: unable to create new content in namespace shop because it is being terminated',
      'platform',
      'NamespaceTerminating',
      'namespace shop',
    ],
    [
      'anything else',
      'Pod "x" is invalid: spec.containers[0].image: Required value',
      'application',
      'Rejected',
      'Required value.',
    ],
  ])('%s', (_, message, owner, reason, words) => {
    const cause = causeOf(failing(message));
    expect(cause).toMatchObject({ owner, reason, object: 'Deployment/app' });
    expect(cause?.message).toContain(words);
  });

  const denied = (policy: string, text: string) =>
    causeOf(
      failing(
        `pods "x" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${text}`,
      ),
    )?.message;

  test.each([
    [
      'controller-namespaces.pinterest.com',
      'metadata.namespace: shop is not managed by pinion; create a Project of that name',
    ],
    ['patches.pinterest.com', 'spec.patches: changes a field that patches may not change; use fields of the workload'],
    ['pinterestservices.pinterest.com', 'spec.tier: is not a tier of the Platform; use one of spec.tiers'],
  ])('a denial of the own policy %s has only the remedy of its message', (policy, text) => {
    expect(denied(policy, text)).toBe(`Pods of Deployment/app are denied by the admission policy ${policy}: ${text}.`);
  });

  test.each(['no-latest', 'no-latest.pinterest.com'])(
    'a denial of the foreign policy %s has a general remedy',
    (policy) => {
      expect(denied(policy, 'images need a tag')).toBe(
        `Pods of Deployment/app are denied by the admission policy ${policy}: images need a tag. Change the spec to comply with the policy, or contact its owners.`,
      );
    },
  );

  test('a briefly exceeded quota is not a cause; a lasting one is, and remains one with each new attempt', () => {
    const message =
      'pods "x" is forbidden: exceeded quota: project, requested: pods=1, used: pods=10, limited: pods=10';
    const since = (time: number, more: Partial<ObservedDifferences> = {}) => {
      const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message };
      const lastTransitionTime = new Date(time).toISOString();
      const status = { observedGeneration: 2, conditions: [{ ...condition, lastTransitionTime }] };
      return report(reportInput(makeService({ replicas: 6 }), { statuses: { 'Deployment/app': status }, ...more }));
    };
    const early = since(noon - 1_000);
    expect(early.status.cause).toBeUndefined();
    expect(early.events).toEqual([]);
    expect(early.requeueAfter).toBe(4_000);
    const late = since(noon - 5_000);
    expect(late.status.cause?.message).toContain('10 of 10 is used, so 6 more is needed');
    const previous = late.status as ObservedDifferences['previous'] & object;
    expect(since(noon, { previous }).status.cause?.reason).toBe('QuotaExceeded');
  });

  test('an Event about a StatefulSet counts until a pod was created since', () => {
    const message =
      'create Pod app-0 in StatefulSet app failed error: pods "app-0" is forbidden: exceeded quota: project, requested: pods=1, used: pods=10, limited: pods=10';
    const failure = {
      kind: 'StatefulSet',
      name: 'app',
      namespace: 'shop',
      uid: 'uid-StatefulSet-app',
      message,
      last: noon - 30_000,
    };
    const statuses = {
      'StatefulSet/app': { observedGeneration: 2, replicas: 1, currentRevision: 'a', updateRevision: 'a' },
    };
    const owner = { kind: 'StatefulSet', name: 'app' };
    const findCause = (pods: ObservedDifferences['pods']) =>
      causeOf({ statuses, failures: [failure], pods: pods ?? [] }, makeStatefulSet());
    expect(findCause([])).toMatchObject({ owner: 'quota', reason: 'QuotaExceeded', object: 'StatefulSet/app' });
    expect(findCause([pod({ owner, name: 'app-0', created: noon - 60_000 })])?.reason).toBe('QuotaExceeded');
    expect(findCause([pod({ owner, name: 'app-0', created: noon - 10_000 })])).toBeUndefined();
  });

  test('a ReplicaSet of an older version is ignored', () => {
    const failure = {
      kind: 'ReplicaSet',
      namespace: 'shop',
      uid: 'u',
      message: 'Error creating: pods "x" is forbidden: no',
      last: noon,
    };
    expect(causeOf({ failures: [{ ...failure, name: 'app-old' }] })).toBeUndefined();
    expect(causeOf({ failures: [{ ...failure, name: 'app-new' }] })?.reason).toBe('Rejected');
  });

  test('a cron job whose Jobs are rejected', () => {
    const message =
      'Error creating job: jobs.batch "app-29" is forbidden: exceeded quota: project, requested: count/jobs.batch=1, used: count/jobs.batch=5, limited: count/jobs.batch=5';
    const failure = {
      kind: 'CronJob',
      name: 'app',
      namespace: 'shop',
      uid: 'uid-CronJob-app',
      message,
      last: noon - 30_000,
    };
    const cause = causeOf({ statuses: {}, failures: [failure] }, makeCronJob());
    expect(cause).toMatchObject({ owner: 'quota', reason: 'QuotaExceeded' });
    expect(cause?.message).toMatch(/^Jobs of CronJob\/app exceed .* so 1 more is needed/);
  });
});

describe('pods without a node', () => {
  const unscheduled = (message: string, more: object = {}): ObservedDifferences => ({
    pods: [
      pod({
        spec: {
          nodeName: undefined,
          containers: [{ name: 'app', resources: { requests: { cpu: '4', memory: '8Gi', 'nvidia.com/gpu': '1' } } }],
          initContainers: [],
        },
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
      }),
    ],
    ...more,
  });

  test('insufficient resources are reported with the requests and the number of nodes that lack them', () => {
    const message =
      '0/5 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient memory, 3 Insufficient cpu. no new claims to deallocate, preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No preemption victims found for incoming pod.';
    expect(causeOf(unscheduled(message))).toEqual({
      owner: 'capacity',
      reason: 'InsufficientCapacity',
      object: 'Pod/app-new-x1',
      message:
        'Pod app-new-x1 (memory 8Gi, cpu 4) does not fit on any of 5 nodes: a taint that it does not tolerate (1), too little memory (2), too little cpu (3). Add nodes to its pool, or lower its requests or the number of pods.',
    });
  });

  test.each([
    [
      'cpu',
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
      'capacity',
      'InsufficientCpu',
    ],
    ['memory', '0/1 nodes are available: 1 Insufficient memory.', 'capacity', 'InsufficientMemory'],
    [
      'accelerators',
      "0/9 nodes are available: 4 Insufficient nvidia.com/gpu, 5 node(s) didn't match Pod's node affinity/selector.",
      'capacity',
      'InsufficientAccelerators',
    ],
    ['number of pods', '0/2 nodes are available: 2 Too many pods.', 'capacity', 'InsufficientCapacity'],
    ['no node', '0/0 nodes are available: . preemption: 0/0 nodes are available: .', 'capacity', 'NoNodes'],
    [
      'insufficient capacity for other gang members',
      'pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod',
      'capacity',
      'GangPending',
    ],
    ['no node, worded differently', 'no nodes available to schedule pods', 'capacity', 'NoNodes'],
    ['cordoned nodes', '0/2 nodes are available: 2 node(s) were unschedulable.', 'platform', 'NodesCordoned'],
    [
      'pool of the platform',
      "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.",
      'platform',
      'NoMatchingNode',
    ],
    [
      'taints',
      '0/4 nodes are available: 4 node(s) had untolerated taint {dedicated: gpu}.',
      'platform',
      'NoMatchingNode',
    ],
    [
      'spread',
      "0/4 nodes are available: 4 node(s) didn't match pod topology spread constraints.",
      'application',
      'PlacementRules',
    ],
    [
      'anti-affinity',
      "0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules.",
      'application',
      'PlacementRules',
    ],
    ['a missing claim', 'persistentvolumeclaim "data" not found', 'application', 'PVCNotFound'],
    [
      'a missing claim, reported with nodes',
      '0/3 nodes are available: persistentvolumeclaim "data" not found. preemption: not helpful',
      'application',
      'PVCNotFound',
    ],
    [
      'a claim that is not bound',
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
      'platform',
      'VolumeNotBound',
    ],
    [
      'no volume to bind',
      "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
      'platform',
      'VolumeNotBound',
    ],
    [
      'a volume in another zone',
      '0/3 nodes are available: 3 node(s) had volume node affinity conflict.',
      'capacity',
      'VolumeNodeAffinityConflict',
    ],
    ['a scheduling gate', 'Scheduling is blocked due to non-empty scheduling gates', 'platform', 'SchedulingGated'],
  ])('%s', (_, message, owner, reason) => {
    expect(causeOf(unscheduled(message))).toMatchObject({ owner, reason });
  });

  test('a volume that is bound moments later is not a cause', () => {
    const message = '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.';
    const young = pod({
      created: noon - 2_000,
      spec: { nodeName: undefined },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
    });
    const early = report(reportInput(service, { statuses: rolling, pods: [young] }));
    expect(early.status.cause).toBeUndefined();
    expect(early.requeueAfter).toBe(8_000);
    expect(causeOf({ pods: [young], now: noon + 8_000 })?.message).toContain(
      'waits for its volume, which is not bound yet',
    );
  });

  test.each([
    [
      'a host port that is in use',
      "0/3 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: no",
      'application',
      'HostPortConflict',
      /^Pod app-x cannot be scheduled to its node: its host port is in use\. Free the port on that node, or set another hostPort in the template;/,
    ],
    [
      'a full node',
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
      'capacity',
      'InsufficientCpu',
      /cannot be scheduled to its node: too little cpu\. Lower its requests, or move other pods away/,
    ],
    [
      'a node that no longer exists',
      "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
      'platform',
      'NodeLost',
      /was removed or no longer accepts it/,
    ],
  ])('the pod of a daemon is for one node: %s', (_, message, owner, reason, words) => {
    const findCause = (ownedByPlatform: boolean) => {
      const statuses = {
        'DaemonSet/app': { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3 },
      };
      const daemonPod = pod({
        name: 'app-x',
        owner: { kind: 'DaemonSet', name: 'app' },
        spec: { nodeName: undefined },
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
      });
      return report({ ...reportInput(makeDaemon(), { statuses, pods: [daemonPod] }), ownedByPlatform }).status.cause;
    };
    expect(findCause(false)).toMatchObject({ owner, reason, message: expect.stringMatching(words) as string });
    expect(findCause(false)?.message).not.toMatch(/NodeAffinity|spread|number of pods/);
    expect(findCause(true)?.owner).toBe(owner === 'application' ? 'platform' : owner);
  });

  test("a placement chosen by the workload is the application's responsibility", () => {
    const message = "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.";
    const placed = makeService({ replicas: 2, placement: { zones: ['us-east-1a'] } });
    expect(causeOf(unscheduled(message), placed)).toMatchObject({ owner: 'application', reason: 'NoMatchingNode' });
  });
});

describe('images', () => {
  const back = (why: string) =>
    `Back-off pulling image "registry.example.com/app:1.0.0": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/app:1.0.0": failed to resolve reference "registry.example.com/app:1.0.0": ${why}`;
  const pull = (why: string) =>
    `failed to pull and unpack image "registry.example.com/app:1.0.0": failed to resolve reference "registry.example.com/app:1.0.0": ${why}`;
  test.each([
    [
      'does not exist',
      'ImagePullBackOff',
      back('registry.example.com/app:1.0.0: not found'),
      'application',
      'ImageNotFound',
    ],
    [
      'is forbidden',
      'ErrImagePull',
      pull(
        'unexpected status from HEAD request to https://registry.example.com/v2/app/manifests/1.0.0: 401 Unauthorized',
      ),
      'application',
      'ImagePullUnauthorized',
    ],
    [
      'does not exist or is forbidden',
      'ErrImagePull',
      pull(
        'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
      ),
      'application',
      'ImagePullUnauthorized',
    ],
    [
      'is unreachable',
      'ErrImagePull',
      pull(
        'failed to do request: Head "https://registry.example.com/v2/app/manifests/1.0.0": dial tcp: lookup registry.example.com on 10.0.0.10:53: no such host',
      ),
      'platform',
      'RegistryUnreachable',
    ],
    [
      'times out',
      'ErrImagePull',
      pull(
        'failed to do request: Head "https://registry.example.com/v2/app/manifests/1.0.0": dial tcp 10.1.2.3:443: i/o timeout',
      ),
      'platform',
      'RegistryUnreachable',
    ],
    [
      'is rate limited',
      'ErrImagePull',
      pull('unexpected status from HEAD request: 429 Too Many Requests'),
      'platform',
      'RegistryLimits',
    ],
    [
      'has an invalid name',
      'InvalidImageName',
      'Failed to apply default image tag "registry.example.com/App": couldn\'t parse image name',
      'application',
      'InvalidImageName',
    ],
    [
      'is never pulled',
      'ErrImageNeverPull',
      'Container image "registry.example.com/app:1.0.0" is not present with pull policy of Never',
      'application',
      'ImageMissing',
    ],
    [
      'is not pulled without a known reason',
      'ImagePullBackOff',
      'Back-off pulling image "registry.example.com/app:1.0.0"',
      'application',
      'ImageNotPulled',
    ],
  ])('one that %s', (_, reason, message, owner, word) => {
    const cause = causeOf({
      pods: [
        pod({
          ...appIs(waiting(reason, message)),
          status: { phase: 'Pending', containerStatuses: [{ name: 'app', ...waiting(reason, message) }] },
        }),
      ],
    });
    expect(cause).toMatchObject({ owner, reason: word, object: 'Pod/app-new-x1' });
    expect(cause?.message).toContain('Image registry.example.com/app:1.0.0 of container app');
  });

  test("an image of the runtime profile is the platform's responsibility", () => {
    const cause = causeOf({
      pods: [pod(initIs('pinion-configuration', waiting('ImagePullBackOff', back('x: not found'))))],
    });
    expect(cause).toMatchObject({ owner: 'platform', reason: 'ImageNotFound' });
  });
});

describe('containers', () => {
  const logs = (container: string) => `\`kubectl logs app-new-x1 -n shop -c ${container} --previous\``;

  test('a crashing app and a crashing platform sidecar have different owners', () => {
    expect(causeOf({ pods: [pod(appIs(crashing(1)))] })).toEqual({
      owner: 'application',
      reason: 'AppCrashLoop',
      object: 'Pod/app-new-x1',
      message: `Container app of Pod app-new-x1 exited with code 1. Check its output: ${logs('app')}.`,
    });
    expect(causeOf({ pods: [pod(initIs('pinion-certificates', crashing(2)))] })).toEqual({
      owner: 'platform',
      reason: 'SidecarCrashLoop',
      object: 'Pod/app-new-x1',
      message: `Sidecar pinion-certificates (of the platform) of Pod app-new-x1 exited with code 2. The container comes with the runtime profile: contact the platform team, and include ${logs('pinion-certificates')}.`,
    });
  });

  test.each([
    ['memory', 137, 'OOMKilled', 'OOMKilled', 'Raise its memory limit'],
    ['a SIGKILL', 137, 'Error', 'AppCrashLoop', 'liveness probe'],
    ['a missing command', 127, 'Error', 'AppCrashLoop', 'is not in the image'],
    ['a command that is not executable', 126, 'Error', 'AppCrashLoop', 'permissions'],
    ['a segmentation fault', 139, 'Error', 'AppCrashLoop', 'segmentation fault'],
    ['an unexpected exit', 0, 'Completed', 'AppCrashLoop', 'kind that runs to completion'],
    ['another signal', 130, 'Error', 'AppCrashLoop', 'signal 2'],
  ])('%s', (_, code, why, reason, words) => {
    const cause = causeOf({ pods: [pod(appIs(crashing(code, why)))] });
    expect(cause).toMatchObject({ owner: 'application', reason });
    expect(cause?.message).toContain(words);
  });

  test('init containers of the app and of the platform', () => {
    expect(causeOf({ pods: [pod(initIs('prepare', crashing(1)))] })).toMatchObject({
      owner: 'application',
      reason: 'InitCrashLoop',
    });
    expect(causeOf({ pods: [pod(initIs('pinion-configuration', crashing(1)))] })).toMatchObject({
      owner: 'platform',
      reason: 'InitCrashLoop',
    });
  });

  test('a crash stays the cause until the container has run again for a while', () => {
    const again = (ago: number) => {
      const terminated = { exitCode: 1, reason: 'Error', finishedAt: new Date(noon - ago).toISOString() };
      return pod({
        ...appIs({ ready: false, restartCount: 2, state: { running: {} }, lastState: { terminated } }),
        created: noon - 3_600_000,
      });
    };
    expect(causeOf({ pods: [again(60_000)] })?.reason).toBe('AppCrashLoop');
    expect(causeOf({ pods: [again(900_000)] })?.reason).toBe('NotReady');
  });

  test.each([
    ['secret "db" not found', 'ReferenceNotFound', 'needs the Secret db, which project shop does not have'],
    ['configmap "settings" not found', 'ReferenceNotFound', 'needs the ConfigMap settings'],
    ["couldn't find key password in Secret shop/db", 'ReferenceNotFound', 'needs the key password of the Secret db'],
    [
      'container has runAsNonRoot and image will run as root (pod: "app-new-x1_shop(1f)", container: app)',
      'RunAsNonRootViolation',
      'Set securityContext.runAsUser',
    ],
    [
      'container has runAsNonRoot and image has non-numeric user (nobody), cannot verify user is non-root (pod: "app-new-x1_shop(1f)", container: app)',
      'RunAsNonRootViolation',
      'user "nobody"',
    ],
  ])('a container that cannot be configured: %s', (message, reason, words) => {
    const cause = causeOf({ pods: [pod(appIs(waiting('CreateContainerConfigError', message)))] });
    expect(cause).toMatchObject({ owner: 'application', reason });
    expect(cause?.message).toContain(words);
  });

  test('a command that the runtime does not find', () => {
    const message =
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "serve": executable file not found in $PATH';
    const terminated = { exitCode: 128, reason: 'StartError', message };
    const cause = causeOf({
      pods: [pod(appIs({ ...waiting('CrashLoopBackOff', 'back-off'), restartCount: 3, lastState: { terminated } }))],
    });
    expect(cause).toMatchObject({ owner: 'application', reason: 'CommandNotFound' });
    expect(cause?.message).toContain('no command serve');
  });

  test('a new pod is still starting, one that takes long is reported', () => {
    const running = {
      status: { phase: 'Running', containerStatuses: [{ name: 'app', ready: false, state: { running: {} } }] },
    };
    expect(causeOf({ pods: [pod({ ...running, created: noon - 299_000 })] })).toBeUndefined();
    expect(
      report(reportInput(service, { statuses: rolling, pods: [pod({ ...running, created: noon - 299_000 })] }))
        .requeueAfter,
    ).toBe(1000);
    const late = causeOf({ pods: [pod({ ...running, created: noon - 300_000 })] });
    expect(late).toMatchObject({ owner: 'application', reason: 'NotReady' });
    expect(late?.message).toContain('kubectl logs app-new-x1 -n shop -c app`');
    expect(causeOf({ pods: [pod({ created: noon - 300_000 })] })).toMatchObject({
      owner: 'platform',
      reason: 'StartsSlowly',
    });
    const sidecar = {
      status: {
        phase: 'Running',
        initContainerStatuses: [{ name: 'pinion-certificates', ready: false, state: { running: {} } }],
      },
    };
    expect(causeOf({ pods: [pod({ ...sidecar, created: 0 })] })).toMatchObject({
      owner: 'platform',
      reason: 'SidecarNotReady',
    });
  });
});

describe('of several causes', () => {
  const image = pod({ name: 'app-new-a', ...appIs(waiting('ImagePullBackOff', 'x: not found')) });
  const crash = pod({ name: 'app-new-b', ...appIs(crashing(1)) });

  test('the most severe one is reported, and of equal ones that of the oldest pod', () => {
    expect(causeOf({ pods: [crash, image] })?.object).toBe('Pod/app-new-a');
    const older = pod({ name: 'app-new-z', created: noon - 90_000, ...appIs(crashing(1)) });
    expect(causeOf({ pods: [crash, older] })?.object).toBe('Pod/app-new-z');
    expect(causeOf({ pods: [older, crash] })?.object).toBe('Pod/app-new-z');
  });

  test('pods of an older version, terminating pods and ready pods are ignored', () => {
    const old = pod({ owner: { kind: 'ReplicaSet', name: 'app-old' }, ...appIs(crashing(1)) });
    expect(causeOf({ pods: [old] })).toBeUndefined();
    expect(
      causeOf({
        pods: [
          { ...crash, deleting: true },
          { ...crash, ready: true },
        ],
      }),
    ).toBeUndefined();
    const owner = { kind: 'StatefulSet', name: 'app' };
    const statuses = {
      'StatefulSet/app': { observedGeneration: 2, replicas: 3, currentRevision: 'app-1', updateRevision: 'app-2' },
    };
    const member = (revision: string) =>
      pod({ owner, labels: { 'controller-revision-hash': revision }, ...appIs(crashing(1)) });
    expect(causeOf({ statuses, pods: [member('app-1')] }, makeStatefulSet())).toBeUndefined();
    expect(causeOf({ statuses, pods: [member('app-2')] }, makeStatefulSet())?.reason).toBe('AppCrashLoop');
  });

  test('the youngest pod determines the newest version of daemons and of a Deployment that does not name it', () => {
    const silent = { 'Deployment/app': { observedGeneration: 2, replicas: 2, updatedReplicas: 1 } };
    const old = pod({
      name: 'o',
      created: noon - 90_000,
      owner: { kind: 'ReplicaSet', name: 'app-old' },
      ...appIs(crashing(1)),
    });
    const fresh = pod({ name: 'f', created: noon - 1000 });
    expect(causeOf({ statuses: silent, pods: [old, fresh] })).toBeUndefined();
    expect(causeOf({ statuses: silent, pods: [old] })?.object).toBe('Pod/o');
    const statuses = (updated: number) => ({
      'DaemonSet/app': { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: updated },
    });
    const daemon = (name: string, revision: string, created: number) =>
      pod({
        name,
        created,
        owner: { kind: 'DaemonSet', name: 'app' },
        labels: { 'controller-revision-hash': revision },
        ...appIs(crashing(1)),
      });
    const pods = [daemon('a', 'one', noon - 90_000), daemon('b', 'two', noon - 60_000)];
    expect(causeOf({ statuses: statuses(1), pods }, makeDaemon())?.object).toBe('Pod/b');
    expect(causeOf({ statuses: statuses(0), pods: pods.slice(0, 1) }, makeDaemon())).toBeUndefined();
  });

  test('a blocking issue of the plan precedes causes from pods, and names its object', () => {
    const blockingIssues = [
      {
        reason: 'NameConflict' as const,
        kind: 'Service',
        name: 'app',
        owner: 'application' as const,
        message: 'Service app exists and belongs to Helm. Give the workload another name.',
      },
    ];
    const { status } = report(reportInput(service, { statuses: rolling, pods: [crash], plan: { blockingIssues } }));
    expect(status.cause).toMatchObject({
      reason: 'NameConflict',
      object: 'Service/app',
      message: blockingIssues[0]?.message,
    });
    expect(conditionIn(status, 'Stalled')?.reason).toBe('NameConflict');
    expect(status.children).toMatchObject({ 'Service/app': 'Rejected' });
  });

  test('a permanent API server error is reported, a transient one is retried', () => {
    const refusing = (error: ApiError) =>
      report(reportInput(service, { rejected: [{ kind: 'Service', name: 'app', error }] })).status;
    const invalid = refusing(
      new ApiError(422, 'Invalid', 'Service "app" is invalid: spec.ports[0].port: Invalid value: 0'),
    );
    expect(invalid.cause).toMatchObject({ owner: 'application', reason: 'Rejected', object: 'Service/app' });
    expect(conditionIn(invalid, 'Stalled')).toBeDefined();
    const quota = refusing(
      new ApiError(
        403,
        'Forbidden',
        'services "app" is forbidden: exceeded quota: project, requested: services=1, used: services=5, limited: services=5',
      ),
    );
    expect(quota.cause).toMatchObject({ owner: 'quota', reason: 'QuotaExceeded' });
    const forbidden = refusing(
      new ApiError(
        403,
        'Forbidden',
        'services "app" is forbidden: User "system:serviceaccount:pinion:controller" cannot patch resource "services" in API group "" in the namespace "shop"',
      ),
    );
    expect(forbidden.cause).toMatchObject({ owner: 'platform', reason: 'ControllerForbidden' });
    const passing = refusing(new ApiError(500, 'InternalError', 'etcdserver: request timed out'));
    expect(conditionIn(passing, 'Reconciling')).toBeDefined();
    expect(passing.cause).toMatchObject({ owner: 'platform', reason: 'APIServerError' });
    const text = 'Internal error occurred: failed calling webhook "vet.example.com": connection refused';
    const webhook = refusing(new ApiError(500, 'InternalError', text));
    expect(webhook.cause).toMatchObject({ owner: 'platform', reason: 'WebhookUnavailable' });
    expect(webhook.cause?.message).toMatch(
      /^Service\/app cannot be created because the admission webhook vet.example.com/,
    );
    expect(conditionIn(webhook, 'Reconciling')).toBeDefined();
  });
});

test('a lost volume', () => {
  const input = makeStatefulSet();
  const given = reportInput(input, {});
  const desired = [...given.desired, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'd' } }];
  const observed = {
    owned: [],
    child: (kind: string, name: string) =>
      kind === 'PersistentVolumeClaim' ? childAt(kind, name, { phase: 'Lost' }) : given.observed.child(kind, name),
  };
  expect(report({ ...given, desired, observed }).status.cause).toMatchObject({
    owner: 'platform',
    reason: 'ClaimLost',
    object: 'PersistentVolumeClaim/d',
  });
});
