import { existsSync, readdirSync } from 'node:fs';
import { expectStatus } from '../control-plane/answer';
import { clusterPrograms, findBinaries } from '../control-plane/binaries';
import { type Cluster, type ClusterPart } from '../control-plane/cluster';
import { describeCluster } from '../control-plane/cluster-suite';
import { GivenCluster, givenKubeconfig } from '../control-plane/given-cluster';
import { behaviour } from '../control-plane/pod-behaviour';
import { isRunning } from '../control-plane/server-process';
import { startCluster } from '../control-plane/start-cluster';
import { waitFor } from '../control-plane/wait-for';
import { deployment, job, statefulSet } from './simulated-workloads';

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: object;
  readonly lastState: object;
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

async function podsOf(cluster: Cluster, namespace: string, app: string): Promise<readonly Pod[]> {
  const query = { labelSelector: `app=${app}` };
  const answer = await cluster.client.request('GET', `/api/v1/namespaces/${namespace}/pods`, undefined, { query });
  return (expectStatus(answer, [200]).body as { items: readonly Pod[] }).items;
}

const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** Waits until so many pods are Ready, and returns them. */
const readyPods = (cluster: Cluster, namespace: string, app: string, count: number): Promise<readonly Pod[]> =>
  waitFor(`${count} pods of ${app} to be Ready`, async () => {
    const pods = await podsOf(cluster, namespace, app);
    return pods.length === count && pods.every(isReady) ? pods : undefined;
  });

/** Waits until the only pod is as it should be. */
const onlyPod = (cluster: Cluster, namespace: string, app: string, is: (pod: Pod) => boolean): Promise<Pod> =>
  waitFor(`the pod of ${app}`, async () => {
    const [pod] = await podsOf(cluster, namespace, app);
    return pod && is(pod) ? pod : undefined;
  });

const container = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find((each) => each.name === name);

const waitsFor =
  (name: string, reason: string) =>
  (pod: Pod): boolean =>
    (container(pod, name)?.state as { waiting?: { reason: string } } | undefined)?.waiting?.reason === reason;

async function create(cluster: Cluster, object: ReturnType<typeof job>): Promise<void> {
  expectStatus(await cluster.client.create(object), [201]);
}

async function annotate(cluster: Cluster, namespace: string, pod: string, annotation: string): Promise<void> {
  const { code, stderr } = await cluster.kubectl(['annotate', 'pod', pod, '-n', namespace, annotation]);
  expect([code, stderr]).toEqual([0, '']);
}

describeCluster('workloads on a simulated cluster', (cluster) => {
  let namespace: string;
  beforeAll(async () => (namespace = await cluster().namespace('workloads')));

  test('a Deployment of 20 pods becomes Ready on nodes of three zones, each with an address of its own', async () => {
    await create(cluster(), deployment({ namespace, name: 'many' }, 20));
    const pods = await readyPods(cluster(), namespace, 'many', 20);
    expect(new Set(pods.map(({ status }) => status.podIP)).size).toBe(20);
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['node-0', 'node-1', 'node-2']));
  });

  test('a Deployment is rolled out, scaled down and removed to its last pod', async () => {
    await create(cluster(), deployment({ namespace, name: 'rolled' }, 4));
    const before = await readyPods(cluster(), namespace, 'rolled', 4);
    const changed = deployment({ namespace, name: 'rolled', annotations: { version: '2' } }, 2);
    expectStatus(await cluster().client.applyForReal(changed), [200]);
    const status = await cluster().kubectl(['rollout', 'status', 'deployment/rolled', '-n', namespace]);
    expect(status.code).toBe(0);
    const names = (await readyPods(cluster(), namespace, 'rolled', 2)).map(({ metadata }) => metadata.name);
    expect(before.map(({ metadata }) => metadata.name)).not.toEqual(expect.arrayContaining(names));
    expectStatus(await cluster().client.delete(changed), [200]);
    await waitFor('no pod', async () => (await podsOf(cluster(), namespace, 'rolled')).length === 0);
  });

  test('a Job completes when its work ends, and its sidecar ends with it', async () => {
    const sidecar = { name: 'side', image: 'side:1', restartPolicy: 'Always' };
    const pods = { namespace, name: 'done', annotations: { [behaviour.exitAfter]: '1500ms' } };
    await create(cluster(), job({ ...pods, spec: { initContainers: [sidecar] } }));
    const running = await onlyPod(cluster(), namespace, 'done', isReady);
    expect(container(running, 'side')).toMatchObject({ ready: true, state: { running: {} } });
    const wait = await cluster().kubectl(['wait', '--for=condition=Complete', 'job/done', '-n', namespace]);
    expect(wait.code).toBe(0);
    const ended = await onlyPod(cluster(), namespace, 'done', ({ status }) => status.phase === 'Succeeded');
    expect(container(ended, 'app')).toMatchObject({ state: { terminated: { exitCode: 0, reason: 'Completed' } } });
    expect(container(ended, 'side')).toMatchObject({ state: { terminated: { exitCode: 0 } } });
  });

  test('a Job fails with the code that its pod ends with', async () => {
    await create(cluster(), job({ namespace, name: 'bad', annotations: { [behaviour.exitCode]: '7' } }));
    const wait = await cluster().kubectl(['wait', '--for=condition=Failed', 'job/bad', '-n', namespace]);
    expect(wait.code).toBe(0);
    const [pod] = await podsOf(cluster(), namespace, 'bad');
    expect(pod?.status.phase).toBe('Failed');
    expect(pod && container(pod, 'app')).toMatchObject({ state: { terminated: { exitCode: 7, reason: 'Error' } } });
  });

  test('a Job whose pod is deleted counts a failure', async () => {
    const annotations = { [behaviour.exitAfter]: 'never' };
    await create(cluster(), job({ namespace, name: 'lost', annotations }));
    const pod = await onlyPod(cluster(), namespace, 'lost', isReady);
    await cluster().kubectl(['delete', 'pod', pod.metadata.name, '-n', namespace]);
    const wait = await cluster().kubectl(['wait', '--for=condition=Failed', 'job/lost', '-n', namespace]);
    expect(wait.code).toBe(0);
  });

  test.each(['app', 'side'])('a crash loop of %s counts restarts, and ends when the cause does', async (crashing) => {
    const name = `crash-${crashing}`;
    const spec = { initContainers: [{ name: 'side', image: 'side:1', restartPolicy: 'Always' }] };
    const annotations = { [behaviour.crashLoop]: crashing, [behaviour.crashCode]: '3' };
    await create(cluster(), deployment({ namespace, name, annotations, spec }));
    await onlyPod(cluster(), namespace, name, waitsFor(crashing, 'CrashLoopBackOff'));
    const pod = await onlyPod(cluster(), namespace, name, (each) => (container(each, crashing)?.restartCount ?? 0) > 1);
    expect(container(pod, crashing)).toMatchObject({ ready: false, lastState: { terminated: { exitCode: 3 } } });
    const other = crashing === 'app' ? 'side' : 'app';
    expect(container(pod, other)).toMatchObject({ ready: true, restartCount: 0, state: { running: {} } });
    expect([pod.status.phase, isReady(pod)]).toEqual(['Running', false]);
    await annotate(cluster(), namespace, pod.metadata.name, `${behaviour.crashLoop}-`);
    const [recovered] = await readyPods(cluster(), namespace, name, 1);
    expect(recovered && container(recovered, crashing)).toMatchObject({ ready: true, state: { running: {} } });
    expect(recovered && container(recovered, crashing)?.restartCount).toBeGreaterThan(1);
  });

  test('an init container that crashes keeps the others from starting', async () => {
    const spec = { initContainers: [{ name: 'init', image: 'init:1' }] };
    await create(
      cluster(),
      deployment({ namespace, name: 'init', annotations: { [behaviour.crashLoop]: 'init' }, spec }),
    );
    const pod = await onlyPod(cluster(), namespace, 'init', waitsFor('init', 'CrashLoopBackOff'));
    expect(waitsFor('app', 'PodInitializing')(pod)).toBe(true);
    expect(pod.status.phase).toBe('Pending');
    expect(pod.status.conditions).toContainEqual(expect.objectContaining({ type: 'Initialized', status: 'False' }));
  });

  test('an image that does not pull keeps its pod Pending until it does', async () => {
    await create(cluster(), deployment({ namespace, name: 'pull', annotations: { [behaviour.imagePull]: 'app' } }));
    const pod = await onlyPod(cluster(), namespace, 'pull', waitsFor('app', 'ImagePullBackOff'));
    expect(pod.status.phase).toBe('Pending');
    await annotate(cluster(), namespace, pod.metadata.name, `${behaviour.imagePull}-`);
    await readyPods(cluster(), namespace, 'pull', 1);
  });

  test('a pod is not Ready before its time, and stops being Ready when it is told to', async () => {
    await create(cluster(), deployment({ namespace, name: 'slow', annotations: { [behaviour.readyAfter]: '2s' } }));
    const early = await onlyPod(cluster(), namespace, 'slow', ({ status }) => status.phase === 'Running');
    expect(isReady(early)).toBe(false);
    const [ready] = await readyPods(cluster(), namespace, 'slow', 1);
    const { name } = ready?.metadata ?? { name: '' };
    await cluster().kubectl(['annotate', 'pod', name, '-n', namespace, '--overwrite', `${behaviour.readyAfter}=never`]);
    const unready = await onlyPod(cluster(), namespace, 'slow', (pod) => !isReady(pod));
    expect(unready.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', reason: 'ContainersNotReady' }),
    );
    await annotate(cluster(), namespace, name, `${behaviour.readyAfter}-`);
    await readyPods(cluster(), namespace, 'slow', 1);
  });

  test('a container that ends under restart policy Always starts again', async () => {
    const annotations = { [behaviour.exitAfter]: '500ms', [behaviour.exitCode]: '9' };
    await create(cluster(), deployment({ namespace, name: 'again', annotations }));
    const pod = await onlyPod(cluster(), namespace, 'again', (each) => (container(each, 'app')?.restartCount ?? 0) > 1);
    expect(container(pod, 'app')).toMatchObject({
      state: { running: {} },
      lastState: { terminated: { exitCode: 9, reason: 'Error' } },
    });
  });

  test('claims are bound, and grow', async () => {
    await create(cluster(), statefulSet({ namespace, name: 'kept' }, 2));
    await readyPods(cluster(), namespace, 'kept', 2);
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace, name: 'data-kept-0' } };
    const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    expect((await cluster().client.get(claim)).body).toMatchObject(bound);
    const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
    await cluster().kubectl(['patch', 'pvc', 'data-kept-0', '-n', namespace, '--patch', JSON.stringify(grown)]);
    await waitFor('the claim to grow', async () => {
      const { body } = await cluster().client.get(claim);
      return (body as { status: { capacity: { storage: string } } }).status.capacity.storage === '2Gi';
    });
  });

  test('a pod that no node has room for says so, and runs on a node that is added', async () => {
    const resources = { requests: { 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } };
    const spec = { containers: [{ name: 'app', image: 'app:1', resources }] };
    await create(cluster(), deployment({ namespace, name: 'big', spec }));
    await onlyPod(
      cluster(),
      namespace,
      'big',
      ({ status }) => status.conditions?.some(({ reason }) => reason === 'Unschedulable') === true,
    );
    const [node] = await cluster().nodes.add(1, {
      labels: { accelerator: 'yes' },
      capacity: { 'example.com/gpu': '2' },
    });
    const [pod] = await readyPods(cluster(), namespace, 'big', 1);
    expect(pod?.spec.nodeName).toBe(node);
    await cluster().nodes.setReady(node ?? '', false);
    await waitFor('its pod not to be Ready', async () => !(await podsOf(cluster(), namespace, 'big')).some(isReady));
    await cluster().nodes.setReady(node ?? '', true);
    await readyPods(cluster(), namespace, 'big', 1);
    await cluster().nodes.remove(node ?? '');
    await onlyPod(cluster(), namespace, 'big', ({ spec: { nodeName } }) => nodeName === undefined);
  });
});

describeCluster(
  'asking a simulated cluster',
  (cluster) => {
    test('the audit log tells what a user asked, each request once', async () => {
      const client = cluster().as('jane');
      const configMaps = '/api/v1/namespaces/default/configmaps';
      await client.request('GET', configMaps);
      const mark = cluster().audit.mark();
      await client.request('GET', configMaps);
      await client.request('GET', `${configMaps}/one`);
      await client.request('GET', `${configMaps}?watch=true&timeoutSeconds=1`);
      await client.request('GET', '/api/v1/namespaces/default/pods/a/status');
      expect(cluster().audit.counts(mark, { user: 'jane' })).toEqual({
        'jane list configmaps': 1,
        'jane get configmaps': 1,
        'jane watch configmaps': 1,
        'jane get pods/status': 1,
      });
      const [got] = cluster().audit.since(mark, { user: 'jane', verb: 'get', resource: 'configmaps' });
      expect(got).toMatchObject({ objectRef: { name: 'one', namespace: 'default' }, responseStatus: { code: 404 } });
    });

    test('a service account logs in with its token and may do what it is bound to, and nothing else', async () => {
      const namespace = await cluster().namespace('account');
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'reader' } };
      expectStatus(await cluster().client.create(account), [201]);
      const role = ['create', 'rolebinding', 'reader', '--clusterrole=view', `--serviceaccount=${namespace}:reader`];
      expect((await cluster().kubectl([...role, '-n', namespace])).stderr).toBe('');
      const token = await cluster().serviceAccountToken(namespace, 'reader');
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const client = cluster().withToken(token);
      await waitFor('the binding to count', async () => (await client.request('GET', path)).status === 200);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'mine' } };
      expect((await client.request('POST', path, object)).status).toBe(403);
      const kubeconfig = cluster().kubeconfigFor({ token });
      const said = await cluster().kubectl(
        ['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'],
        '',
        kubeconfig,
      );
      expect(said.stdout).toBe(`system:serviceaccount:${namespace}:reader`);
    });

    test('a cluster that is given is used in a namespace of its own, which goes at the end', async () => {
      const given = new GivenCluster(cluster().kubeconfig);
      const namespace = await given.namespace('given');
      await create(given, deployment({ namespace, name: 'web' }, 2));
      await readyPods(given, namespace, 'web', 2);
      expect((await given.kubectl(['get', 'deployment', 'web', '-n', namespace, '-o', 'name'])).code).toBe(0);
      const token = await given.serviceAccountToken(namespace, 'default');
      expect((await given.withToken(token).request('GET', '/api/v1/nodes')).status).toBe(403);
      expect(() => given.part()).toThrow('not ours to kill');
      await given.stop();
      expect((await cluster().client.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(404);
    });
  },
  { users: [{ name: 'jane', groups: ['system:masters'] }] },
);

describeCluster('parts of a cluster that fail', (cluster) => {
  const parts: readonly ClusterPart[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'];
  let namespace: string;
  let count = 0;
  beforeAll(async () => (namespace = await cluster().namespace('parts')));
  /** Needs every part: stored, admitted, made into pods, placed, run. */
  const workIsDone = async (): Promise<void> => {
    count += 1;
    await create(cluster(), deployment({ namespace, name: `work-${count}` }, 2));
    await readyPods(cluster(), namespace, `work-${count}`, 2);
  };

  test.each(parts)('%s is killed and starts again with what was there', async (name) => {
    await workIsDone();
    const before = cluster().part(name).pid;
    await cluster().part(name).kill();
    expect([cluster().part(name).ending, isRunning(before)]).toEqual(['was ended by SIGKILL', false]);
    await cluster().part(name).restart();
    await cluster().ready();
    expect(cluster().part(name).pid).not.toBe(before);
    await readyPods(cluster(), namespace, `work-${count}`, 2);
    await workIsDone();
    expect((await cluster().kubectl(['get', 'nodes', '--output=name'])).code).toBe(0);
  });

  test.each(parts)('%s is paused, does nothing, and goes on', async (name) => {
    cluster().part(name).pause();
    const before = cluster().part(name).pid;
    let isDone = false;
    const work = workIsDone().then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isDone).toBe(false);
    cluster().part(name).resume();
    await work;
    expect([cluster().part(name).pid, cluster().part(name).ending]).toEqual([before, undefined]);
  });

  test('a part that runs is restarted in an orderly way', async () => {
    await cluster().part('kube-apiserver').restart();
    await workIsDone();
  });
});

const binaries = findBinaries(clusterPrograms);
const whenBuilt = 'paths' in binaries && givenKubeconfig() === undefined ? test : test.skip;

describe('stopping a cluster', () => {
  const volumes = (): readonly string[] => (existsSync('/tmp/hostpath_pv') ? readdirSync('/tmp/hostpath_pv') : []);

  whenBuilt('leaves no process, no folder and no volume', async () => {
    if (!('paths' in binaries)) return;
    const cluster = await startCluster({ paths: binaries.paths, nodes: 1 });
    await create(cluster, statefulSet({ namespace: 'default', name: 'kept' }));
    await readyPods(cluster, 'default', 'kept', 1);
    const { body } = await cluster.client.request('GET', '/api/v1/persistentvolumes');
    const paths = (body as { items: readonly { spec: { hostPath: { path: string } } }[] }).items.map(
      ({ spec }) => spec.hostPath.path.split('/').at(-1) ?? '',
    );
    expect(volumes()).toEqual(expect.arrayContaining(paths));
    expect(cluster.pids).toHaveLength(6);
    expect(cluster.pids.every(isRunning)).toBe(true);
    await cluster.part('kwok').kill();
    cluster.part('kube-scheduler').pause();
    await cluster.stop();
    expect(cluster.pids.some(isRunning)).toBe(false);
    expect(existsSync(cluster.folder)).toBe(false);
    expect(volumes().filter((name) => paths.includes(name))).toEqual([]);
  });
});
