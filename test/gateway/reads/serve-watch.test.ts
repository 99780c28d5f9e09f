import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { selectionOf } from '../../../lib/gateway/cache/object-selection';
import { type CacheEvent } from '../../../lib/gateway/cache/watch-event';
import { ServedWatch } from '../../../lib/gateway/reads/serve-watch';
import { type WatchPlan } from '../../../lib/gateway/requests/read-plan';
import { parseLabelSelector } from '../../../lib/gateway/selectors/label-selector';
import { ManualClock } from '../../kube/manual-clock';
import { lineOf, pod, pods } from '../pods';
import { ReadServer, textOf } from './read-server';

const all = selectionOf(undefined, undefined, undefined);
let server: ReadServer | undefined;
let clock: ManualClock;
let cache: ObjectCache;
let watch: ServedWatch;
beforeEach(() => {
  clock = new ManualClock();
  cache = new ObjectCache(pods, { events: 3, bytes: 1_000_000 });
  cache.replace([pod('one', 5), pod('two', 3, { labels: { app: 'web' } })], 10);
});
afterEach(() => server?.stop());

const apply = (type: CacheEvent['type'], name: string, version: number): void => {
  const object = pod(name, version);
  cache.apply(type, object, lineOf(type, object));
};
/** Opens a watch; the returned function resolves with its events as `TYPE name version`, once it has ended, or the given text is read. */
const open = async (plan: Partial<WatchPlan>): Promise<(endAfter?: string) => Promise<string[]>> => {
  const whole: WatchPlan = { how: 'watch', selection: all, initial: undefined, after: 10, bookmarks: false, ...plan };
  server = await ReadServer.start((response) => (watch = new ServedWatch(response, cache, whole, clock)));
  const response = await server.open();
  return async (endAfter) => {
    let recent = '';
    response.on('data', (chunk: Buffer) => {
      recent = `${recent.slice(-100)}${chunk.toString('latin1')}`;
      if (endAfter !== undefined && recent.includes(endAfter)) watch.end();
    });
    return (await textOf(response)).split('\n').flatMap((line) => {
      if (line === '') return [];
      const { type, object } = JSON.parse(line) as {
        type: string;
        object: { code?: number; metadata: Record<string, unknown> };
      };
      const { name = '-', resourceVersion = object.code, annotations } = object.metadata;
      return [[type, name, resourceVersion, ...(annotations ? [JSON.stringify(annotations)] : [])].join(' ')];
    });
  };
};

test('a watch from a version goes on with the events after it', async () => {
  apply('ADDED', 'three', 11);
  apply('MODIFIED', 'one', 12);
  const events = await open({ after: 11 });
  apply('DELETED', 'two', 13);
  watch.end();
  expect(await events()).toEqual(['MODIFIED one 12', 'DELETED two 13']);
});

test('a watch from the start of the log is answered, one from before it ends as expired', async () => {
  const events = await open({ after: 10 });
  watch.end();
  expect(await events()).toEqual([]);
  await server?.stop();
  const expired = await open({ after: 9 });
  expect(await expired()).toEqual(['ERROR - 410']);
  expect([cache.watches, clock.pending]).toEqual([0, 0]);
});

test('events that the log has dropped expire the versions before them', async () => {
  for (const version of [11, 12, 13, 14]) apply('MODIFIED', 'one', version);
  expect(await (await open({ after: 10 }))()).toEqual(['ERROR - 410']);
  await server?.stop();
  const events = await open({ after: 11 });
  watch.end();
  expect(await events()).toEqual(['MODIFIED one 12', 'MODIFIED one 13', 'MODIFIED one 14']);
});

test('a watch from a version to come is silent until then', async () => {
  const events = await open({ after: 12, bookmarks: true });
  await clock.advance(60_000);
  for (const version of [11, 12, 13]) apply('MODIFIED', 'one', version);
  await clock.advance(60_000);
  watch.end();
  expect(await events()).toEqual(['MODIFIED one 13', 'BOOKMARK - 13']);
});

test('a list that is watched begins with all objects in order and the bookmark that ends them', async () => {
  const events = await open({ initial: { notBefore: 0, endBookmark: true }, after: 0, bookmarks: true });
  apply('MODIFIED', 'two', 11);
  watch.end();
  expect(await events()).toEqual([
    'ADDED one 5',
    'ADDED two 3',
    'BOOKMARK - 10 {"k8s.io/initial-events-end":"true"}',
    'MODIFIED two 11',
  ]);
});

test('a watch of a selection sends what enters and leaves it', async () => {
  const selection = selectionOf(undefined, parseLabelSelector('app=web'), undefined);
  const events = await open({ selection, initial: { notBefore: 0, endBookmark: false }, after: 0 });
  apply('MODIFIED', 'two', 11);
  apply('MODIFIED', 'one', 12);
  watch.end();
  expect(await events()).toEqual(['ADDED two 3', 'DELETED two 11']);
});

test('bookmarks come once a minute, and before the time of the watch is over', async () => {
  const events = await open({ bookmarks: true, timeoutSeconds: 90 });
  await clock.advance(60_000);
  cache.advance(15);
  await clock.advance(30_000);
  expect(await events()).toEqual(['BOOKMARK - 10', 'BOOKMARK - 15']);
  expect([cache.watches, clock.pending, watch.isOver]).toEqual([0, 0, true]);
});

test('without a time of its own, a watch ends after half an hour at least', async () => {
  const events = await open({});
  await clock.advance(1_799_000);
  expect(watch.isOver).toBe(false);
  await clock.advance(1_000);
  expect(await events()).toEqual([]);
});

test('a cache that is filled anew ends the watch as expired', async () => {
  const events = await open({});
  apply('ADDED', 'three', 11);
  cache.replace([], 20);
  expect(await events()).toEqual(['ADDED three 11', 'ERROR - 410']);
  expect([cache.watches, clock.pending]).toEqual([0, 0]);
});

test('a client that leaves leaves neither a subscription nor a timer', async () => {
  server = await ReadServer.start((response) => {
    const plan = { how: 'watch', selection: all, initial: undefined, after: 10, bookmarks: true } as const;
    watch = new ServedWatch(response, cache, plan, clock);
  });
  const ended = server.open().then((response) => {
    const end = new Promise<void>((resolve) => (watch.onEnd = resolve));
    response.destroy();
    return end;
  });
  await ended;
  expect([cache.watches, clock.pending]).toEqual([0, 0]);
  watch.end();
});

test('a client that does not read loses its watch', async () => {
  server = await ReadServer.start((response) => {
    const plan = { how: 'watch', selection: all, initial: undefined, after: 10, bookmarks: false } as const;
    watch = new ServedWatch(response, cache, plan, clock);
  });
  const response = await server.open();
  response.pause().on('error', () => undefined);
  const labels = { app: 'x'.repeat(100_000) };
  for (let version = 11; version < 400 && !watch.isOver; version++) {
    const object = pod('one', version, { labels });
    cache.apply('MODIFIED', object, lineOf('MODIFIED', object));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([watch.isOver, cache.watches]).toEqual([true, 0]);
});

test.each([
  ['the objects', { initial: { notBefore: 0, endBookmark: true }, after: 0 }],
  ['the events that it missed', { after: 10 }],
])('more than a slow client may leave unread reaches one that reads, in order: %s', async (_, plan) => {
  const labels = { app: 'x'.repeat(1_000_000) };
  const names = Array.from({ length: 20 }, (__, index) => `p-${index + 10}`);
  cache = new ObjectCache(pods, { events: 100, bytes: 100_000_000 });
  cache.replace([], 10);
  for (const [index, name] of names.entries()) {
    const object = pod(name, index + 11, { labels });
    cache.apply('ADDED', object, lineOf('ADDED', object));
  }
  const events = await open(plan);
  // While the client has not read yet.
  apply('DELETED', 'p-10', 40);
  const expected = [
    ...names.map((name, index) => `ADDED ${name} ${index + 11}`),
    ...('initial' in plan ? ['BOOKMARK - 30 {"k8s.io/initial-events-end":"true"}'] : []),
    'DELETED p-10 40',
  ];
  expect(await events('DELETED')).toEqual(expected);
});
