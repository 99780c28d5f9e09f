import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { creationFailureOf } from '../../../lib/controller/observed/creation-failure-of';
import { podFactsOf } from '../../../lib/controller/observed/pod-facts-of';
import { livePod, noon, pod } from '../report-input';

test('a pod is cached with its index, and with the requests that the scheduler counts', () => {
  const facts = pod({
    labels: { 'pinterest.com/member': 'worker', 'pod-template-hash': '7d4b9' },
    annotations: { 'batch.kubernetes.io/job-completion-index': '4' },
    spec: {
      containers: [
        { name: 'app', resources: { requests: { cpu: '500m', memory: '1Gi', 'nvidia.com/gpu': '2' } } },
        { name: 'second', resources: { limits: { cpu: '0.1' } } },
      ],
      initContainers: [
        { name: 'pinion-logs', restartPolicy: 'Always', resources: { requests: { cpu: '100m', memory: '64Mi' } } },
        { name: 'prepare', resources: { requests: { cpu: '2', memory: '32Mi' } } },
      ],
      overhead: { cpu: '10m' },
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(facts).toEqual({
    name: 'app-new-x1',
    namespace: 'shop',
    uid: 'uid-app-new-x1',
    resourceVersion: '9',
    deleting: false,
    created: noon - 60_000,
    workload: { kind: 'PinterestService', label: 'app' },
    member: 'worker',
    index: 4,
    revision: '7d4b9',
    controller: { kind: 'ReplicaSet', name: 'app-new', uid: 'uid-ReplicaSet-app-new' },
    node: 'node-1',
    phase: 'Running',
    ready: true,
    containerIssues: [],
    // Two CPUs of `prepare` beside the sidecar started before it, and the overhead.
    requests: { cpu: 2110, memory: 1024 ** 3 + 64 * 1024 ** 2, 'nvidia.com/gpu': 2 },
  });
});

test('a pod of a hook belongs to the workload, and is known as that of the hook', () => {
  const facts = pod({
    labels: { 'pinterest.com/kind': 'PinterestServiceHook', 'pinterest.com/hook': 'migrate' },
  });
  expect(facts).toMatchObject({ workload: { kind: 'PinterestService', label: 'app' }, hook: 'migrate' });
});

test('containers that are starting, or end with their pod, have no failure', () => {
  const starting = { state: { waiting: { reason: 'ContainerCreating' } } };
  expect(pod({ status: { containerStatuses: [{ name: 'app', ...starting }] } }).containerIssues).toEqual([]);
  const killed = { state: { terminated: { exitCode: 137, reason: 'Error' } } };
  const ended = pod({
    status: {
      phase: 'Succeeded',
      initContainerStatuses: [{ name: 'pinion-certificates', ...killed }],
      containerStatuses: [{ name: 'app', state: { terminated: { exitCode: 0 } } }],
    },
  });
  expect(ended.containerIssues).toEqual([]);
});

test('the termination message of a container is not kept, because it may hold a secret', () => {
  const terminated = { exitCode: 1, reason: 'Error', message: 'password is hunter2' };
  const facts = pod({ status: { phase: 'Failed', containerStatuses: [{ name: 'app', state: { terminated } }] } });
  expect(JSON.stringify(facts)).not.toContain('hunter2');
  expect(facts.containerIssues).toMatchObject([{ container: 'app', role: 'app', exit: { code: 1, reason: 'Error' } }]);
});

test('pods of one template share their common facts', () => {
  const [one, other] = [pod({ name: 'a' }), pod({ name: 'b' })];
  expect(one.requests).toBe(other.requests);
  expect(one.controller).toBe(other.controller);
  expect(one.workload).toBe(other.workload);
  expect(one.containerIssues).toBe(other.containerIssues);
});

test('a pod uses less than a kilobyte in addition to shared values', () => {
  const count = 5000;
  const texts = Array.from({ length: count }, (_, index) =>
    JSON.stringify(
      livePod({
        name: `cart-7d4b9c5f8d-${index.toString(36).padStart(5, '0')}`,
        spec: { nodeName: `node-${index % 100}` },
      }),
    ),
  );
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const cached = texts.map((text) => podFactsOf(JSON.parse(text) as ReturnType<typeof livePod>));
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  expect(cached).toHaveLength(count);
  expect(bytes).toBeLessThan(1024);
});

test('an Event explains why pods could not be created; other Events are ignored', () => {
  const event = (more: object) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: 'web.17',
      namespace: 'shop',
      uid: 'e1',
      resourceVersion: '3',
      creationTimestamp: '2026-03-01T10:00:00Z',
    },
    involvedObject: { kind: 'StatefulSet', name: 'web', namespace: 'shop', uid: 'u1' },
    message: 'create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden',
    ...more,
  });
  expect(creationFailureOf(event({ reason: 'FailedCreate', lastTimestamp: '2026-03-01T11:00:00Z' }))).toEqual({
    kind: 'StatefulSet',
    name: 'web',
    namespace: 'shop',
    uid: 'u1',
    message: 'create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden',
    last: Date.UTC(2026, 2, 1, 11),
  });
  const inSeries = {
    eventTime: '2026-03-01T10:00:00.000000Z',
    series: { lastObservedTime: '2026-03-01T11:30:00.000000Z' },
  };
  expect(creationFailureOf(event({ reason: 'FailedCreate', lastTimestamp: null, ...inSeries }))?.last).toBe(
    Date.UTC(2026, 2, 1, 11, 30),
  );
  expect(creationFailureOf(event({ reason: 'SuccessfulCreate' }))).toBeUndefined();
});
