import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { audience, TestGateway } from './gateway/test-gateway';
import { TopicControllerProcess } from './topic-controller-process';

const namespace = 'topic-controller';
const manifests = loadAll(
  readFileSync(join(__dirname, '../../examples/topic-controller/manifests.yaml'), 'utf8'),
) as SendableObject[];

interface Rule {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
}

interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: {
    readonly topics: number;
    readonly observedGeneration: number;
    readonly conditions: readonly { readonly status: string; readonly reason: string; readonly message: string }[];
  };
}

describeControlPlane('the topic controller of examples/', (controlPlane) => {
  const processes: TopicControllerProcess[] = [];
  let gateway: TestGateway | undefined;

  const startReplica = async (settings?: { url: string; authority: string; token: string }) => {
    const { folder, url, client } = await connection();
    const own = {
      url,
      authority: folder.authority,
      token: await client.serviceAccountToken(namespace, namespace, 3600),
    };
    const replica = TopicControllerProcess.start({
      ...(settings ?? own),
      folder: folder.logs,
      namespace,
      name: `replica-${processes.length}`,
    });
    processes.push(replica);
    return replica;
  };
  const connection = () => {
    const { kubeconfig, url, client } = controlPlane();
    const [, file = ''] = /certificate-authority"?: "?([^"\n]+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
    const logs = join(kubeconfig, '..');
    return Promise.resolve({ url, client, folder: { logs, authority: readFileSync(file, 'utf8') } });
  };
  const read = async (path: string): Promise<Stored | undefined> => {
    const response = await controlPlane().client.request('GET', path);
    return response.status === 404 ? undefined : (expectStatus(response, [200]).body as Stored);
  };
  const setPath = (project: string, name: string): string =>
    `/apis/topics.example.com/v1/namespaces/${project}/topicsets/${name}`;
  const applySet = async (project: string, name: string, topics: readonly string[]): Promise<void> => {
    const set = { apiVersion: 'topics.example.com/v1', kind: 'TopicSet', metadata: { namespace: project, name } };
    expectStatus(await controlPlane().client.apply({ ...set, spec: { topics } } as SendableObject), [200, 201]);
  };
  const deleteSet = async (project: string, name: string): Promise<void> =>
    void expectStatus(await controlPlane().client.request('DELETE', setPath(project, name)), [200, 202]);
  const reasonOf = async (project: string, name: string): Promise<string | undefined> =>
    (await read(setPath(project, name)))?.status?.conditions[0]?.reason;
  const untilReason = (project: string, name: string, reason: string): Promise<unknown> =>
    waitFor(`${project}/${name} to be ${reason}`, async () => (await reasonOf(project, name)) === reason);
  const registry = async (): Promise<Readonly<Record<string, string>>> =>
    (await read(`/api/v1/namespaces/${namespace}/configmaps/topic-registry`))?.data ?? {};
  const published = async (project: string, name: string): Promise<string | undefined> =>
    (await read(`/api/v1/namespaces/${project}/configmaps/${name}-topics`))?.data?.['topics'];
  const leader = (): Promise<TopicControllerProcess> =>
    waitFor('a leader', () => Promise.resolve(processes.find((each) => each.isRunning && each.hasLogged('leading'))));

  beforeAll(async () => {
    const { client } = controlPlane();
    // The Deployment needs nodes; the test starts the program itself.
    for (const object of manifests.filter(({ kind }) => kind !== 'Deployment')) {
      const response = await waitFor(`${object.kind} to be served`, async () => {
        const applied = await client.apply(object);
        return applied.status < 300 && applied;
      });
      expect(response.status).toBeLessThan(300);
    }
    for (const name of ['shop', 'billing'])
      expectStatus(await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }), [200, 201]);
    await waitFor('the definition', async () => (await read(setPath('shop', 'any'))) === undefined);
    await startReplica();
    await leader();
  }, 120_000);
  afterAll(async () => {
    for (const each of processes) await each.kill();
    await gateway?.stop();
  });

  test('its manifests are those that the API server accepts, the Deployment included', async () => {
    for (const object of manifests) expectStatus(await controlPlane().client.applyDryRun(object), [200, 201]);
  });

  test('reserves the topics of a set, publishes them in an owned ConfigMap, and reports it', async () => {
    await applySet('shop', 'orders', ['orders.created', 'orders.paid']);
    await untilReason('shop', 'orders', 'Reserved');
    const set = await read(setPath('shop', 'orders'));
    expect(set).toMatchObject({ metadata: { finalizers: ['topics.example.com/registry'] }, status: { topics: 2 } });
    expect(await registry()).toEqual({ 'orders.created': 'shop/orders', 'orders.paid': 'shop/orders' });
    const configMap = await read('/api/v1/namespaces/shop/configmaps/orders-topics');
    expect(configMap?.data).toEqual({ topics: 'orders.created\norders.paid' });
    expect(configMap?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ uid: set?.metadata.uid, controller: true }),
    ]);
    const events = await waitFor('the event', async () => {
      const list = await controlPlane().client.request('GET', '/api/v1/namespaces/shop/events');
      const { items } = list.body as { readonly items: readonly { readonly reason: string }[] };
      return items.length > 0 && items;
    });
    expect(events).toMatchObject([{ reason: 'Reserved', type: 'Normal', involvedObject: { name: 'orders' } }]);
  });

  test('repairs a published ConfigMap that is changed or deleted', async () => {
    const path = '/api/v1/namespaces/shop/configmaps/orders-topics';
    const patch = { contentType: 'application/merge-patch+json' };
    expectStatus(await controlPlane().client.request('PATCH', path, { data: { topics: 'other' } }, patch), [200]);
    const isRepaired = async (): Promise<boolean> =>
      (await published('shop', 'orders')) === 'orders.created\norders.paid';
    await waitFor('the change to be repaired', isRepaired);
    expectStatus(await controlPlane().client.request('DELETE', path), [200]);
    await waitFor('the ConfigMap to be created again', isRepaired);
  });

  test('a taken name is reported, and reserved once its owner is deleted', async () => {
    await applySet('billing', 'invoices', ['invoices.sent', 'orders.paid', 'constructor']);
    await untilReason('billing', 'invoices', 'TopicTaken');
    expect((await read(setPath('billing', 'invoices')))?.status?.conditions[0]?.message).toContain('shop/orders');
    expect(Object.values(await registry())).not.toContain('billing/invoices');
    await deleteSet('shop', 'orders');
    await untilReason('billing', 'invoices', 'Reserved');
    await waitFor('the finalizer to be removed', async () => (await read(setPath('shop', 'orders'))) === undefined);
    expect(await registry()).toEqual({
      'invoices.sent': 'billing/invoices',
      'orders.paid': 'billing/invoices',
      constructor: 'billing/invoices',
    });
  });

  test('does not take over a ConfigMap that it did not create', async () => {
    const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'stock-topics' } };
    expectStatus(await controlPlane().client.apply({ ...foreign, data: { own: 'yes' } } as SendableObject), [201]);
    await applySet('shop', 'stock', ['stock.changed']);
    await untilReason('shop', 'stock', 'ConfigMapTaken');
    expect(await read('/api/v1/namespaces/shop/configmaps/stock-topics')).toMatchObject({ data: { own: 'yes' } });
  });

  test('uses every permission of its roles, and no other', async () => {
    const user = `system:serviceaccount:${namespace}:${namespace}`;
    const requests = () => controlPlane().audit.since({ offset: 0 }, { user });
    const used = (): readonly string[] => {
      const names = requests().flatMap(({ verb, objectRef }) =>
        objectRef?.resource ? [`${verb} ${[objectRef.resource, objectRef.subresource].filter(Boolean).join('/')}`] : [],
      );
      return [...new Set(names)].sort();
    };
    const rules = manifests.flatMap((object) => (object as { readonly rules?: readonly Rule[] }).rules ?? []);
    const granted = rules.flatMap(({ verbs, resources }) =>
      verbs.flatMap((verb) => resources.map((resource) => `${verb} ${resource}`)),
    );
    // Admission checks the first for owner references; the second counts repeated events.
    const others = ['update topicsets/finalizers', 'patch events'];
    const expected = [...new Set(granted)].filter((each) => !others.includes(each)).sort();
    await waitFor('the lease to be renewed', () => Promise.resolve(used().includes('update leases')));
    expect(used()).toEqual(expected);
    // Right after its start, an API server also refuses what roles allow: these are the requests before its restart.
    expect(requests().filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
  });

  test('the API server restarts: it reconnects, and misses no object', async () => {
    const mark = controlPlane().audit.mark();
    const api = controlPlane().part('kube-apiserver');
    await api.kill();
    await api.restart();
    await controlPlane().ready();
    // Written before the watches are open again: only a complete list or watch finds all.
    await Promise.all(Array.from({ length: 20 }, (_, at) => applySet('shop', `restart-${at}`, [`restart.${at}`])));
    for (let at = 0; at < 20; at++) await untilReason('shop', `restart-${at}`, 'Reserved');
    expect(
      controlPlane().audit.since(mark, { userAgent: 'topic-controller/1.0.0', verb: 'watch' }).length,
    ).toBeGreaterThan(0);
    await deleteSet('shop', 'restart-0');
    await waitFor('the release', async () => !('restart.0' in (await registry())));
  }, 90_000);

  test('a standby takes over at once from a leader that stops, and after the lease from one that is killed', async () => {
    const first = await leader();
    const second = await startReplica();
    await waitFor('the standby to sync', () => Promise.resolve(second.hasLogged('caches synced')));
    expect(second.hasLogged('leading')).toBe(false);
    // An object of this moment is the leader's last one, or the first one of its successor.
    const stopped = first.stop();
    await applySet('shop', 'handed-over', ['handed.over']);
    expect(await stopped).toBe(0);
    await untilReason('shop', 'handed-over', 'Reserved');
    await waitFor('the standby to lead', () => Promise.resolve(second.hasLogged('leading')));
    const third = await startReplica();
    await waitFor('the next standby to sync', () => Promise.resolve(third.hasLogged('caches synced')));
    await second.kill();
    await applySet('shop', 'taken-over', ['taken.over']);
    await untilReason('shop', 'taken-over', 'Reserved');
    await waitFor('the next standby to lead', () => Promise.resolve(third.hasLogged('leading')));
  }, 120_000);

  test('works through the gateway as it is, with sets from the cache of the gateway', async () => {
    await (await leader()).stop();
    gateway = await TestGateway.start(controlPlane(), [
      { group: 'topics.example.com', version: 'v1', plural: 'topicsets' },
    ]);
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${namespace}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience] } };
    const response = expectStatus(await controlPlane().client.request('POST', path, body), [201]);
    const { token } = (response.body as { readonly status: { readonly token: string } }).status;
    const replica = await startReplica({ ...gateway.target(token), token });
    await waitFor('the replica to lead', () => Promise.resolve(replica.hasLogged('leading')));
    await applySet('shop', 'through', ['through.gateway']);
    await untilReason('shop', 'through', 'Reserved');
    expect(await published('shop', 'through')).toBe('through.gateway');
    await deleteSet('shop', 'through');
    await waitFor('the release', async () => !('through.gateway' in (await registry())));
    expect(await replica.stop()).toBe(0);
  }, 90_000);
});
