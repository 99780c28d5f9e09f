import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { describeCluster } from '../control-plane/cluster-suite';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { container, create, isReady, onlyPod, podsOf, readyPods, waitsFor } from './pod-status';
import { deployment, job, statefulSet } from './simulated-workloads';

async function annotate(cluster: Cluster, namespace: string, pod: string, annotation: string): Promise<void> {
  const { code, stderr } = await cluster.kubectl(['annotate', 'pod', pod, '-n', namespace, annotation]);
  expect([code, stderr]).toEqual([0, '']);
}

describeCluster('workloads on a simulated cluster', (cluster) => {
  let namespace: string;
  beforeAll(async () => (namespace = await cluster().namespace('workloads')));

  test('a Deployment of 20 pods becomes Ready on nodes of three zones, each pod with its own address', async () => {
    await create(cluster(), deployment({ namespace, name: 'many' }, 20));
    const pods = await readyPods(cluster(), namespace, 'many', 20);
    expect(new Set(pods.map(({ status }) => status.podIP)).size).toBe(20);
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['node-0', 'node-1', 'node-2']));
  });

  test('a Deployment is rolled out, scaled down and removed with all its pods', async () => {
    await create(cluster(), deployment({ namespace, name: 'rolled' }, 4));
    const before = await readyPods(cluster(), namespace, 'rolled', 4);
    const changed = deployment({ namespace, name: 'rolled', annotations: { version: '2' } }, 2);
    expectStatus(await cluster().client.apply(changed), [200]);
    const status = await cluster().kubectl(['rollout', 'status', 'deployment/rolled', '-n', namespace]);
    expect(status.code).toBe(0);
    const names = (await readyPods(cluster(), namespace, 'rolled', 2)).map(({ metadata }) => metadata.name);
    expect(before.map(({ metadata }) => metadata.name)).not.toEqual(expect.arrayContaining(names));
    expectStatus(await cluster().client.delete(changed), [200]);
    await waitFor('no pod', async () => (await podsOf(cluster(), namespace, 'rolled')).length === 0);
  });

  test('a Job and its sidecar complete when its work ends', async () => {
    const sidecar = { name: 'side', image: 'side:1', restartPolicy: 'Always' };
    const pods = { namespace, name: 'done', annotations: { [podBehavior.exitAfter]: '1500ms' } };
    await create(cluster(), job({ ...pods, spec: { initContainers: [sidecar] } }));
    const running = await onlyPod(cluster(), namespace, 'done', isReady);
    expect(container(running, 'side')).toMatchObject({ ready: true, state: { running: {} } });
    const wait = await cluster().kubectl(['wait', '--for=condition=Complete', 'job/done', '-n', namespace]);
    expect(wait.code).toBe(0);
    const ended = await onlyPod(cluster(), namespace, 'done', ({ status }) => status.phase === 'Succeeded');
    expect(container(ended, 'app')).toMatchObject({ state: { terminated: { exitCode: 0, reason: 'Completed' } } });
    expect(container(ended, 'side')).toMatchObject({ state: { terminated: { exitCode: 0 } } });
  });

  test('a Job fails with the exit code of its pod', async () => {
    await create(cluster(), job({ namespace, name: 'bad', annotations: { [podBehavior.exitCode]: '7' } }));
    const wait = await cluster().kubectl(['wait', '--for=condition=Failed', 'job/bad', '-n', namespace]);
    expect(wait.code).toBe(0);
    const [pod] = await podsOf(cluster(), namespace, 'bad');
    expect(pod?.status.phase).toBe('Failed');
    expect(pod && container(pod, 'app')).toMatchObject({ state: { terminated: { exitCode: 7, reason: 'Error' } } });
  });

  test('a Job whose pod is deleted counts a failure', async () => {
    const annotations = { [podBehavior.exitAfter]: 'never' };
    await create(cluster(), job({ namespace, name: 'lost', annotations }));
    const pod = await onlyPod(cluster(), namespace, 'lost', isReady);
    await cluster().kubectl(['delete', 'pod', pod.metadata.name, '-n', namespace]);
    const wait = await cluster().kubectl(['wait', '--for=condition=Failed', 'job/lost', '-n', namespace]);
    expect(wait.code).toBe(0);
  });

  test.each(['app', 'side'])('a crash loop of %s counts restarts, and ends with its cause', async (crashing) => {
    const name = `crash-${crashing}`;
    const spec = { initContainers: [{ name: 'side', image: 'side:1', restartPolicy: 'Always' }] };
    const annotations = { [podBehavior.crashLoop]: crashing, [podBehavior.crashCode]: '3' };
    await create(cluster(), deployment({ namespace, name, annotations, spec }));
    await onlyPod(cluster(), namespace, name, waitsFor(crashing, 'CrashLoopBackOff'));
    const pod = await onlyPod(cluster(), namespace, name, (each) => (container(each, crashing)?.restartCount ?? 0) > 1);
    expect(container(pod, crashing)).toMatchObject({ ready: false, lastState: { terminated: { exitCode: 3 } } });
    const other = crashing === 'app' ? 'side' : 'app';
    expect(container(pod, other)).toMatchObject({ ready: true, restartCount: 0, state: { running: {} } });
    expect([pod.status.phase, isReady(pod)]).toEqual(['Running', false]);
    await annotate(cluster(), namespace, pod.metadata.name, `${podBehavior.crashLoop}-`);
    const [recovered] = await readyPods(cluster(), namespace, name, 1);
    expect(recovered && container(recovered, crashing)).toMatchObject({ ready: true, state: { running: {} } });
    expect(recovered && container(recovered, crashing)?.restartCount).toBeGreaterThan(1);
  });

  test('a crashing init container keeps the other containers from starting', async () => {
    const spec = { initContainers: [{ name: 'init', image: 'init:1' }] };
    await create(
      cluster(),
      deployment({ namespace, name: 'init', annotations: { [podBehavior.crashLoop]: 'init' }, spec }),
    );
    const pod = await onlyPod(cluster(), namespace, 'init', waitsFor('init', 'CrashLoopBackOff'));
    expect(waitsFor('app', 'PodInitializing')(pod)).toBe(true);
    expect(pod.status.phase).toBe('Pending');
    expect(pod.status.conditions).toContainEqual(expect.objectContaining({ type: 'Initialized', status: 'False' }));
  });

  test('a pod stays Pending until its image is pulled', async () => {
    await create(cluster(), deployment({ namespace, name: 'pull', annotations: { [podBehavior.imagePull]: 'app' } }));
    const pod = await onlyPod(cluster(), namespace, 'pull', waitsFor('app', 'ImagePullBackOff'));
    expect(pod.status.phase).toBe('Pending');
    await annotate(cluster(), namespace, pod.metadata.name, `${podBehavior.imagePull}-`);
    await readyPods(cluster(), namespace, 'pull', 1);
  });

  test('a pod becomes Ready after its delay, and unready on request', async () => {
    await create(cluster(), deployment({ namespace, name: 'slow', annotations: { [podBehavior.readyAfter]: '2s' } }));
    const early = await onlyPod(cluster(), namespace, 'slow', ({ status }) => status.phase === 'Running');
    expect(isReady(early)).toBe(false);
    const [ready] = await readyPods(cluster(), namespace, 'slow', 1);
    const { name } = ready?.metadata ?? { name: '' };
    await cluster().kubectl([
      'annotate',
      'pod',
      name,
      '-n',
      namespace,
      '--overwrite',
      `${podBehavior.readyAfter}=never`,
    ]);
    const unready = await onlyPod(cluster(), namespace, 'slow', (pod) => !isReady(pod));
    expect(unready.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', reason: 'ContainersNotReady' }),
    );
    await annotate(cluster(), namespace, name, `${podBehavior.readyAfter}-`);
    await readyPods(cluster(), namespace, 'slow', 1);
  });

  test('a container with restart policy Always restarts after it exits', async () => {
    const annotations = { [podBehavior.exitAfter]: '500ms', [podBehavior.exitCode]: '9' };
    await create(cluster(), deployment({ namespace, name: 'again', annotations }));
    const pod = await onlyPod(cluster(), namespace, 'again', (each) => (container(each, 'app')?.restartCount ?? 0) > 1);
    expect(container(pod, 'app')).toMatchObject({
      state: { running: {} },
      lastState: { terminated: { exitCode: 9, reason: 'Error' } },
    });
  });

  test('claims are bound and can grow', async () => {
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

  test('a pod that fits no node is Unschedulable, and runs on a new node', async () => {
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
