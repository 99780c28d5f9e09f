import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { Upstream } from '../../../lib/gateway/upstream/upstream';
import { UpstreamWatch } from '../../../lib/gateway/upstream/upstream-watch';
import { ManualClock } from '../../kube/manual-clock';
import { lineOf, pod, pods } from '../pods';

let server: Server;
let upstream: Upstream;
let answer: (url: string, response: ServerResponse) => void;
const stopping: AbortController[] = [];
const urls: string[] = [];
const clock = new ManualClock();
let credential: () => Promise<object>;

beforeEach(async () => {
  urls.length = 0;
  credential = () => Promise.resolve({ token: 'of-the-gateway' });
  server = createServer(({ url = '' }, response) => {
    urls.push(url);
    answer(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  upstream = new Upstream({ server: url, namespace: 'default', credential: () => credential() }, clock);
});
afterEach(async () => {
  for (const controller of stopping.splice(0)) controller.abort();
  upstream.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const run = (cache: ObjectCache): { stop: () => void; ended: Promise<void> } => {
  const controller = new AbortController();
  stopping.push(controller);
  const watch = new UpstreamWatch({ upstream, clock, cache, userAgent: 'test', onError: () => undefined });
  return { stop: () => controller.abort(), ended: watch.run(controller.signal) };
};
const cacheOf = (): ObjectCache => new ObjectCache(pods, { events: 100, bytes: 1_000_000 });
const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
};
const endOfInitialEvents = (version: number): string => {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: `${version}`, annotations } } })}\n`;
};

test('a watch that is stopped before it has a credential ends', async () => {
  let give = (): void => undefined;
  credential = () => new Promise((resolve) => (give = () => resolve({ token: 'late' })));
  answer = (_, response) => response.writeHead(200).flushHeaders();
  const { stop, ended } = run(cacheOf());
  stop();
  give();
  const wasInTime = await Promise.race([
    ended.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500)),
  ]);
  expect(wasInTime).toBe(true);
});

test('a server that was restored to an older state fills the cache anew', async () => {
  const cache = cacheOf();
  let state = [pod('one', 100), pod('two', 90)];
  let version = 100;
  let failures = 0;
  // As the API server's watch cache: a watch from a version to come gets neither events nor bookmarks before it.
  answer = (url, response) => {
    const fills = url.includes('sendInitialEvents');
    if (fills && version === 50 && failures++ < 4) {
      response.writeHead(500).end();
      return;
    }
    response.writeHead(200).flushHeaders();
    if (!fills) return;
    for (const object of state) response.write(lineOf('ADDED', object));
    response.write(endOfInitialEvents(version));
  };
  run(cache);
  await until(() => cache.version === 100);
  expect(cache.size).toBe(2);
  [state, version] = [[pod('one', 40)], 50];
  server.closeAllConnections();
  for (let minutes = 0; minutes < 10 && cache.version !== 50; minutes++) {
    await clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect([cache.version, cache.size]).toEqual([50, 1]);
});

test('a server without watches that begin with all objects is listed in pages, byte for byte', async () => {
  const cache = cacheOf();
  const pages = ['a', 'b'].map(
    (name, index) =>
      `{"kind":"PodList","metadata":{"resourceVersion":"7","continue":"${index === 0 ? 'next' : ''}"},"items":[` +
      `{"metadata":{"name":"${name}","namespace":"n","resourceVersion":"3"},"items":[{"}":"\\"{"}],"n":12345678901234567890}]}`,
  );
  answer = (url, response) => {
    if (url.includes('sendInitialEvents')) response.writeHead(422).end();
    else if (!url.includes('watch')) response.writeHead(200).end(pages[url.includes('continue=next') ? 1 : 0]);
    else response.writeHead(200).flushHeaders();
  };
  run(cache);
  await until(() => urls.length > 0);
  for (let seconds = 0; seconds < 10 && cache.version !== 7; seconds++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await until(() => urls.length === 4);
  expect(urls.at(-1)).toContain('resourceVersion=7');
  expect(cache.get('n/a')?.json.toString()).toBe(
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","resourceVersion":"3"},' +
      '"items":[{"}":"\\"{"}],"n":12345678901234567890}',
  );
  expect(cache.size).toBe(2);
});

test('a resource that is no longer served leaves nothing, and is filled anew when it is back', async () => {
  const cache = cacheOf();
  let watch: ServerResponse | undefined;
  let isServed = true;
  let state = [pod('one', 100)];
  answer = (_, response) => {
    response.writeHead(isServed ? 200 : 404).flushHeaders();
    if (!isServed) {
      response.end();
      return;
    }
    watch = response;
    for (const object of state) response.write(lineOf('ADDED', object));
    response.write(endOfInitialEvents(120));
  };
  run(cache);
  await until(() => cache.size === 1);
  expect(cache.ageAt(clock.now())).toBe(0);
  const ends: boolean[] = [];
  cache.subscribe({ onEvent: () => undefined, onEnd: (expired) => ends.push(expired) });
  isServed = false;
  // As when a custom resource definition is deleted: without an error, long before the time of the watch.
  watch?.end();
  const pass = async (condition: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 100 && !condition(); tries++) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await pass(() => cache.version === undefined);
  expect([cache.size, cache.ageAt(clock.now()), ends]).toEqual([0, Infinity, [true]]);
  [isServed, state] = [true, [pod('two', 110)]];
  await pass(() => cache.version === 120);
  expect(cache.get('a/two')?.version).toBe(110);
});

test('neither bytes nor initial objects count as contact, events do', async () => {
  const cache = cacheOf();
  let watch: ServerResponse | undefined;
  answer = (_, response) => {
    response.writeHead(200).flushHeaders();
    watch = response;
    response.write(lineOf('ADDED', pod('one', 100)));
  };
  run(cache);
  await until(() => watch !== undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(cache.ageAt(clock.now())).toBe(Infinity);
  watch?.write(endOfInitialEvents(120));
  await until(() => cache.version === 120);
  await clock.advance(30_000);
  watch?.write('{"type":"MODIF');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(cache.ageAt(clock.now())).toBe(30_000);
  watch?.write(lineOf('MODIFIED', pod('one', 130)).subarray('{"type":"MODIF'.length));
  await until(() => cache.version === 130);
  expect(cache.ageAt(clock.now())).toBe(0);
});
