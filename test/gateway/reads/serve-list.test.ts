import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { selectionOf } from '../../../lib/gateway/cache/object-selection';
import { serveGet } from '../../../lib/gateway/reads/serve-get';
import { serveList } from '../../../lib/gateway/reads/serve-list';
import { parseLabelSelector } from '../../../lib/gateway/selectors/label-selector';
import { ManualClock } from '../../kube/manual-clock';
import { realClock } from '../../kube/real-clock';
import { lineOf, pod, pods } from '../pods';
import { ReadServer, textOf } from './read-server';

const all = selectionOf(undefined, undefined, undefined);
let server: ReadServer | undefined;
afterEach(() => server?.stop());

const cacheOf = (count: number, size = 10): ObjectCache => {
  const cache = new ObjectCache(pods, { events: 10, bytes: 1_000_000 });
  const labels = { app: 'x'.repeat(size) };
  cache.replace(
    Array.from({ length: count }, (_, index) => pod(`pod-${index + 1_000}`, index + 1, { labels })),
    count,
  );
  return cache;
};

test.each([0, 1, 2, 600])('a list of %d objects is complete and in order', async (count) => {
  // 600 objects of 2 KB are several blocks.
  const cache = cacheOf(count, 2_000);
  server = await ReadServer.start((response) => void serveList(response, cache, all, realClock));
  const response = await server.open();
  const list = JSON.parse(await textOf(response)) as { items: { metadata: { name: string } }[]; metadata: object };
  expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  expect(list).toMatchObject({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: `${count}` } });
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(
    Array.from({ length: count }, (_, index) => `pod-${index + 1_000}`),
  );
  expect(list.items.every((item) => !('kind' in item))).toBe(true);
});

test('a list is that of one version, though the cache changes while a client reads slowly', async () => {
  const cache = cacheOf(10_000, 2_000);
  let served: Promise<void> | undefined;
  server = await ReadServer.start((response) => {
    served = serveList(response, cache, all, realClock);
  });
  const response = await server.open();
  for (const { key } of [...cache.list(all)].slice(5_000)) {
    const object = cache.get(key);
    if (object) cache.apply('DELETED', object, lineOf('DELETED', object));
  }
  const list = JSON.parse(await textOf(response)) as { items: object[]; metadata: object };
  expect(list.items).toHaveLength(10_000);
  expect(list.metadata).toEqual({ resourceVersion: '10000' });
  await served;
});

test('a client that leaves in the middle of a list leaves nothing behind', async () => {
  const cache = cacheOf(10_000, 2_000);
  let served: Promise<void> | undefined;
  server = await ReadServer.start((response) => {
    served = serveList(response, cache, all, realClock);
  });
  (await server.open()).destroy();
  await expect(served).resolves.toBeUndefined();
});

test('a selection that nothing matches is an empty list', async () => {
  const selection = selectionOf('b', parseLabelSelector('app=none'), undefined);
  server = await ReadServer.start((response) => void serveList(response, cacheOf(3), selection, realClock));
  expect(JSON.parse(await textOf(await server.open()))).toMatchObject({ items: [] });
});

test('an object is sent as it is, an absent one as a status that names it', async () => {
  const cache = cacheOf(1);
  let key = 'a/pod-1000';
  server = await ReadServer.start((response) => serveGet(response, cache, key, realClock));
  expect(JSON.parse(await textOf(await server.open()))).toMatchObject({ kind: 'Pod', metadata: { name: 'pod-1000' } });
  key = 'a/absent';
  const response = await server.open();
  expect(response.statusCode).toBe(404);
  expect(JSON.parse(await textOf(response))).toMatchObject({
    kind: 'Status',
    reason: 'NotFound',
    message: 'pods "absent" not found',
    details: { name: 'absent', kind: 'pods' },
  });
});

test('a client that does not read for a minute loses its list', async () => {
  const [clock, cache] = [new ManualClock(), cacheOf(10_000, 2_000)];
  let served: Promise<void> | undefined;
  server = await ReadServer.start((response) => {
    served = serveList(response, cache, all, clock);
  });
  const response = await server.open();
  response.pause().on('error', () => undefined);
  // Until the buffers of both sides are full.
  await new Promise((resolve) => setTimeout(resolve, 300));
  let isOver = false;
  void served?.then(() => (isOver = true));
  await clock.advance(59_000);
  expect([isOver, clock.pending]).toEqual([false, 1]);
  await clock.advance(1_000);
  await served;
  expect(clock.pending).toBe(0);
});
