import { Registry } from 'prom-client';
import { type LiveObject, type Resource, resourceOf } from '../../lib/client';
import { Cache } from '../../lib/controller-runtime';
import { CachedClient } from '../../lib/controller-runtime/cached-client';
import { FakeApiServer } from '../controller/fake-api-server';
import { ManualClock } from '../kube/manual-clock';

const configMaps = resourceOf('ConfigMap');
const widgets: Resource = { apiVersion: 'example.com/v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const silent = (): void => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
const configMap = (name: string, namespace = 'shop') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});

let server: FakeApiServer;
let cache: Cache;
let client: CachedClient;
let requests: string[];

beforeEach(() => {
  server = new FakeApiServer();
  requests = [];
  server.failWith = (verb, kind, name) => {
    requests.push(`${verb} ${kind} ${name}`.trim());
    return undefined;
  };
  cache = new Cache({ client: server, clock: new ManualClock(), log, registry: new Registry() });
  client = new CachedClient(server, cache, [widgets]);
});
afterEach(() => cache.stop());

/** Starts the cache, and forgets its requests. */
async function start(): Promise<void> {
  await cache.start();
  await new Promise((resolve) => setImmediate(resolve));
  requests.length = 0;
}

test('reads what has an informer from the cache, and everything else from the API server', async () => {
  server.put(configMap('a'));
  server.put(configMap('b', 'other'));
  cache.informer(configMaps);
  await start();
  expect(await client.get(configMaps, { name: 'a', namespace: 'shop' })).toMatchObject({ metadata: { name: 'a' } });
  expect(await client.get(configMaps, { name: 'missing', namespace: 'shop' })).toBeUndefined();
  const { items } = await client.list(configMaps, { namespace: 'other' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  expect((await client.list(configMaps, {})).items).toHaveLength(2);
  expect(requests).toEqual([]);
  await client.list(configMaps, { labelSelector: 'a=b' });
  await client.get(configMaps, { name: 'a', namespace: 'shop' }, { as: { user: 'tenant' } });
  await client.get(widgets, { name: 'a', namespace: 'shop' });
  expect(requests).toEqual(['list ConfigMap', 'get ConfigMap a', 'get Widget a']);
});

test('an informer of one namespace or of a selection answers for nothing beyond it', async () => {
  server.put(configMap('a'));
  cache.informer(configMaps, { selection: { namespace: 'shop' } });
  cache.informer(configMaps, { selection: { namespace: 'other', labelSelector: 'a=b' } });
  await start();
  await client.list(configMaps, { namespace: 'shop' });
  expect(requests).toEqual([]);
  await client.list(configMaps, {});
  await client.get(configMaps, { name: 'a', namespace: 'other' });
  expect(requests).toEqual(['list ConfigMap', 'get ConfigMap a']);
});

test('has its own writes at once, before the watch delivers them', async () => {
  cache.informer(configMaps);
  await start();
  const release = server.holdBack('ConfigMap');
  const read = (): Promise<LiveObject | undefined> => client.get(configMaps, { name: 'a', namespace: 'shop' });
  await client.create(configMap('a'));
  const written = await client.apply({ ...configMap('a'), data: { level: 'info' } });
  expect(await read()).toMatchObject({ data: { level: 'info' } });
  await client.updateStatus({ ...written, status: { seen: true } });
  expect(await read()).toMatchObject({ status: { seen: true } });
  await client.delete(configMaps, { name: 'a', namespace: 'shop' });
  expect(await read()).toBeUndefined();
  release();
  expect(await read()).toBeUndefined();
  expect(requests).not.toContain('get ConfigMap a');
});
