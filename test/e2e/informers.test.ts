import {
  connect,
  SharedInformerFactory,
  type InformerRequest,
  isApiError,
  keyOf,
  type KubeClient,
  type LiveObject,
  loadKubeConfig,
  resourceOf,
  type SentObject,
  type SharedInformer,
  trimForCache,
} from '../../lib/kube';
import { type AuditMark } from '../control-plane/audit';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';

const resource = resourceOf('ConfigMap');
const count = 2_000;
const inDefault = { namespace: 'default' };

const configMap = (name: string, value: string): SentObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
});
const versionsOf = (objects: Iterable<LiveObject>): Map<string, string> =>
  new Map(Array.from(objects, (object) => [keyOf(object), object.metadata.resourceVersion]));
const valueOf = (object: LiveObject | undefined): unknown =>
  (object?.['data'] as Readonly<Record<string, string>> | undefined)?.['value'];

describeControlPlane('informers against the API server', (controlPlane) => {
  let client: KubeClient;
  const factories: SharedInformerFactory[] = [];
  const errors: unknown[] = [];

  const connectAs = (userAgent: string): KubeClient =>
    connect(loadKubeConfig({ file: controlPlane().kubeconfig, environment: {} }), {
      clock: realClock,
      userAgent,
      rate: { qps: 10_000, burst: 10_000 },
    });
  const startInformer = async (
    request: Partial<InformerRequest<LiveObject>>,
    through: KubeClient = client,
  ): Promise<SharedInformer<LiveObject>> => {
    const factory = new SharedInformerFactory({
      client: through,
      clock: realClock,
      onError: (error) => errors.push(error),
    });
    factories.push(factory);
    const informer = factory.informer({ resource, selection: inDefault, transform: trimForCache, ...request });
    factory.start();
    await factory.waitForCacheSync(AbortSignal.timeout(60_000));
    return informer;
  };
  /** Returns the versions of all ConfigMaps on the server. */
  const serverVersions = async (): Promise<Map<string, string>> =>
    versionsOf((await client.list(resource, inDefault)).items);
  const untilEqual = async (informer: SharedInformer<LiveObject>, timeout = 30_000): Promise<void> => {
    const expected = await serverVersions();
    const isEqual = async (): Promise<boolean> => {
      const known = versionsOf(informer.store.list());
      return known.size === expected.size && [...expected].every(([key, version]) => known.get(key) === version);
    };
    await waitFor('the store to equal the server', isEqual, { timeout });
  };

  const restartServer = async (): Promise<AuditMark> => {
    const mark = controlPlane().audit.mark();
    const api = controlPlane().part('kube-apiserver');
    await api.kill();
    await api.restart();
    await controlPlane().ready();
    return mark;
  };
  const verbsOf = (userAgent: string, mark: AuditMark): string[] =>
    controlPlane()
      .audit.since(mark, { userAgent, resource: 'configmaps' })
      .map(({ verb }) => verb);

  beforeAll(async () => {
    client = connectAs('pinion-informers');
    const names = Array.from({ length: count }, (_, index) => `object-${index}`);
    for (let first = 0; first < count; first += 50)
      await Promise.all(names.slice(first, first + 50).map((name) => client.apply(configMap(name, 'first'))));
  }, 120_000);
  afterEach(async () => {
    await Promise.all(factories.splice(0).map((factory) => factory.stop()));
    errors.length = 0;
  });
  afterAll(() => client.close());

  test.each([
    ['in pages of 500', false, 'paged', ['list', 'list', 'list', 'list', 'watch']],
    ['streamed', true, 'streamed', ['watch']],
  ])('lists 2,000 objects %s completely, trims them and watches them', async (_, streamed, userAgent, verbs) => {
    const own = connectAs(`pinion-informers-${userAgent}`);
    const mark = controlPlane().audit.mark();
    const informer = await startInformer({ streamLists: streamed }, own);
    expect(versionsOf(informer.store.list())).toEqual(await serverVersions());
    expect(informer.store.get('default/object-7')?.metadata.managedFields).toBeUndefined();
    await client.apply(configMap('object-7', userAgent));
    await waitFor('the change to arrive', async () => valueOf(informer.store.get('default/object-7')) === userAgent);
    expect(verbsOf(`pinion-informers-${userAgent}`, mark)).toEqual(verbs);
    expect(errors).toEqual([]);
    own.close();
  });

  test('adds the response of a write to the store at once and notifies once', async () => {
    const informer = await startInformer({});
    const notifications: string[] = [];
    informer.addEventHandler({ onUpdate: (_, after, key) => notifications.push(`${key} ${String(valueOf(after))}`) });
    informer.offer(await client.apply(configMap('object-1', 'written')));
    expect(valueOf(informer.store.get('default/object-1'))).toBe('written');
    const { uid } = await client.apply(configMap('passing', 'x')).then(({ metadata }) => metadata);
    await client.delete(resource, { name: 'passing', namespace: 'default' });
    informer.offerDeleted('default/passing', uid);
    await untilEqual(informer);
    expect(notifications).toEqual(['default/object-1 written']);
  });

  test('resumes the watch after a killed server restarts', async () => {
    const informer = await startInformer({});
    await restartServer();
    await client.apply(configMap('object-4', 'changed'));
    await untilEqual(informer);
    expect(errors.length).toBeGreaterThan(0); // the broken connection was reported
  });

  test('lists again when the server rejects an expired version', async () => {
    const own = connectAs('pinion-informers-expired');
    const informer = await startInformer({ backOff: { start: 15_000, jitter: 0 } }, own);
    const deletions: string[] = [];
    informer.addEventHandler({ onDelete: (_, key) => deletions.push(key) });
    const version = informer.store.resourceVersion ?? '';
    // Adds a version that a watch of ConfigMaps does not see: the list of the new server starts after the version of the informer.
    await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    const mark = await restartServer();
    await client.delete(resource, { name: 'object-3', namespace: 'default' });
    await waitFor('the version to be rejected', async () => {
      const query = { ...inDefault, resourceVersion: version, timeoutSeconds: 1 };
      const response = client
        .watch(resource, query, () => undefined)
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      return isApiError(await response, 410);
    });
    expect(deletions).toEqual([]);
    // One delay after the end of the watch, and one after the rejection.
    await untilEqual(informer, 60_000);
    expect(deletions).toEqual(['default/object-3']);
    const verbs = ['watch', 'list', 'list', 'list', 'list', 'watch'];
    // The second watch starts once the list is in the store.
    await waitFor('the second watch', async () => verbsOf('pinion-informers-expired', mark).length >= verbs.length);
    expect(verbsOf('pinion-informers-expired', mark)).toEqual(verbs);
    own.close();
  });

  test('detects a paused server that sends nothing and resumes the watch when it continues', async () => {
    const informer = await startInformer({ idleTimeout: 3_000 });
    const api = controlPlane().part('kube-apiserver');
    const watched = informer.lastContactAt();
    api.pause();
    await waitFor('the idle timeout', async () =>
      errors.some((error) => isApiError(error) && error.reason === 'IdleTimeout'),
    );
    api.resume();
    await controlPlane().ready();
    await client.apply(configMap('object-5', 'changed'));
    await untilEqual(informer);
    expect(informer.lastContactAt()).toBeGreaterThan(watched ?? Infinity);
  });
});
