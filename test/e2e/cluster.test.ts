import { existsSync, readdirSync } from 'node:fs';
import { expectStatus } from '../control-plane/api-response';
import { clusterPrograms, findBinaries } from '../control-plane/binaries';
import { type ClusterComponent } from '../control-plane/cluster';
import { describeCluster } from '../control-plane/cluster-suite';
import { ExistingCluster, existingClusterKubeconfig } from '../control-plane/existing-cluster';
import { isRunning } from '../control-plane/server-process';
import { startCluster } from '../control-plane/start-cluster';
import { waitFor } from '../control-plane/wait-for';
import { create, readyPods } from './pod-status';
import { deployment, statefulSet } from './simulated-workloads';

describeCluster(
  'requests to a simulated cluster',
  (cluster) => {
    test('records each request of a user once in the audit log', async () => {
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
      const [getRequest] = cluster().audit.since(mark, { user: 'jane', verb: 'get', resource: 'configmaps' });
      expect(getRequest).toMatchObject({
        objectRef: { name: 'one', namespace: 'default' },
        responseStatus: { code: 404 },
      });
    });

    test('gives a service account with a token only the permissions that it is bound to', async () => {
      const namespace = await cluster().namespace('account');
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'reader' } };
      expectStatus(await cluster().client.create(account), [201]);
      const role = ['create', 'rolebinding', 'reader', '--clusterrole=view', `--serviceaccount=${namespace}:reader`];
      expect((await cluster().kubectl([...role, '-n', namespace])).stderr).toBe('');
      const token = await cluster().serviceAccountToken(namespace, 'reader');
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const client = cluster().withToken(token);
      await waitFor('the binding to take effect', async () => (await client.request('GET', path)).status === 200);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'mine' } };
      expect((await client.request('POST', path, object)).status).toBe(403);
      const kubeconfig = cluster().kubeconfigFor({ token });
      const result = await cluster().kubectl(
        ['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'],
        '',
        kubeconfig,
      );
      expect(result.stdout).toBe(`system:serviceaccount:${namespace}:reader`);
    });

    test('uses an existing cluster in a separate namespace and deletes the namespace at the end', async () => {
      const existing = new ExistingCluster(cluster().kubeconfig);
      const namespace = await existing.namespace('existing');
      await create(existing, deployment({ namespace, name: 'web' }, 2));
      await readyPods(existing, namespace, 'web', 2);
      expect((await existing.kubectl(['get', 'deployment', 'web', '-n', namespace, '-o', 'name'])).code).toBe(0);
      const token = await existing.serviceAccountToken(namespace, 'default');
      expect((await existing.withToken(token).request('GET', '/api/v1/nodes')).status).toBe(403);
      expect(() => existing.part()).toThrow('must not be killed');
      await existing.stop();
      expect((await cluster().client.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(404);
    });
  },
  { users: [{ name: 'jane', groups: ['system:masters'] }] },
);

describeCluster('failing components of a cluster', (cluster) => {
  const parts: readonly ClusterComponent[] = [
    'etcd',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'kwok',
  ];
  let namespace: string;
  let count = 0;
  beforeAll(async () => (namespace = await cluster().namespace('parts')));
  /** Needs every component: the workload is stored, admitted, expanded into pods, scheduled and run. */
  const runWorkload = async (): Promise<void> => {
    count += 1;
    await create(cluster(), deployment({ namespace, name: `work-${count}` }, 2));
    await readyPods(cluster(), namespace, `work-${count}`, 2);
  };

  test.each(parts)('restarts %s after a kill with its state', async (name) => {
    await runWorkload();
    const before = cluster().part(name).pid;
    await cluster().part(name).kill();
    expect([cluster().part(name).ending, isRunning(before)]).toEqual(['was ended by SIGKILL', false]);
    await cluster().part(name).restart();
    await cluster().ready();
    expect(cluster().part(name).pid).not.toBe(before);
    await readyPods(cluster(), namespace, `work-${count}`, 2);
    await runWorkload();
    expect((await cluster().kubectl(['get', 'nodes', '--output=name'])).code).toBe(0);
  });

  test.each(parts)('pauses and resumes %s', async (name) => {
    cluster().part(name).pause();
    const before = cluster().part(name).pid;
    let isDone = false;
    const work = runWorkload().then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isDone).toBe(false);
    cluster().part(name).resume();
    await work;
    expect([cluster().part(name).pid, cluster().part(name).ending]).toEqual([before, undefined]);
  });

  test('restarts a running component gracefully', async () => {
    await cluster().part('kube-apiserver').restart();
    await runWorkload();
  });
});

const binaries = findBinaries(clusterPrograms);
const whenBuilt = 'paths' in binaries && existingClusterKubeconfig() === undefined ? test : test.skip;

describe('stopping a cluster', () => {
  const volumes = (): readonly string[] => (existsSync('/tmp/hostpath_pv') ? readdirSync('/tmp/hostpath_pv') : []);

  whenBuilt('leaves no process, folder or volume behind', async () => {
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
