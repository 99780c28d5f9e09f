import { ApiError, keyOf, type LiveObject, Reflector, type ReflectorTuning, resourceOf, Store } from '../../lib/kube';
import { ManualClock, seededRandom, settled } from './manual-clock';
import { type RecordedRequest, ListWatchServer } from './list-watch-server';

const resource = resourceOf('ConfigMap');

function startReflector(tuning: ReflectorTuning & { readonly random?: () => number; readonly objects?: number } = {}) {
  const clock = new ManualClock(tuning.random ?? (() => 0));
  const server = new ListWatchServer(clock, resource);
  for (let index = 0; index < (tuning.objects ?? 0); index += 1) server.put(`object-${index}`, index);
  const errors: unknown[] = [];
  const store = new Store<LiveObject>({ transform: (object) => object });
  const stopping = new AbortController();
  const reflector = new Reflector<LiveObject>({
    client: server,
    clock,
    resource,
    store,
    onError: (error) => errors.push(error),
    ...tuning,
  });
  let ended = false;
  const end = reflector.run(stopping.signal).then(() => (ended = true));
  return {
    clock,
    server,
    store,
    reflector,
    errors,
    requestsOf: (verb: RecordedRequest['verb']) => server.requests.filter((request) => request.verb === verb),
    stop: async () => {
      stopping.abort();
      await settled();
      expect(ended).toBe(true); // without advancing the clock
      await end;
      expect([server.openWatches, clock.pending]).toEqual([0, 0]);
    },
    expectEqual: () => expect(new Map(store.list().map((object) => [keyOf(object), object]))).toEqual(server.state()),
  };
}

describe.each([
  ['in pages', false],
  ['streamed', true],
] as const)('a list (%s)', (_, streamed) => {
  test('is followed by a watch from its version, and the store follows the server', async () => {
    const run = startReflector({ streamLists: streamed, objects: 1234 });
    await settled();
    run.expectEqual();
    expect(run.requestsOf('list')).toHaveLength(streamed ? 0 : 3);
    run.server.put('object-7', 'changed');
    run.server.deleteObject('object-8');
    run.server.put('late', 1);
    run.expectEqual();
    expect(run.requestsOf('watch')).toHaveLength(1);
    await run.stop();
  });

  test('is repeated when the version to resume from has expired', async () => {
    const run = startReflector({ streamLists: streamed, objects: 3 });
    await settled();
    run.server.endWatches(new ApiError(0, 'Unreachable', 'gone'));
    run.server.deleteObject('object-1');
    run.server.put('late', 1);
    run.server.compact();
    await run.clock.advance(10_000);
    run.expectEqual();
    await run.stop();
  });

  test('is repeated when a watch event reports that its version has expired', async () => {
    const run = startReflector({ streamLists: streamed, objects: 3 });
    await settled();
    const status = { apiVersion: 'v1', kind: 'Status', code: 410, reason: 'Expired' } as unknown as LiveObject;
    run.server.sendRaw({ type: 'ERROR', object: status });
    run.server.deleteObject('object-1');
    run.server.put('late', 1);
    run.server.compact();
    await run.clock.advance(5_000);
    run.expectEqual();
    expect(run.requestsOf(streamed ? 'watch' : 'list')).toHaveLength(2);
    await run.stop();
  });
});

test('restarts from the first page when its continue token expires', async () => {
  const run = startReflector({ objects: 10, pageSize: 4 });
  const list = run.server.list.bind(run.server);
  let compacted = false;
  run.server.list = async (...args) => {
    if (args[1].continue !== undefined && !compacted) {
      compacted = true;
      run.server.put('meanwhile', 1);
      run.server.compact();
    }
    return list(...args);
  };
  await run.clock.advance(5_000);
  expect(compacted).toBe(true);
  expect(run.requestsOf('list').map(({ continue: next }) => next !== undefined)).toEqual([
    false,
    true,
    false,
    true,
    true,
  ]);
  run.expectEqual();
  await run.stop();
});

test('falls back to pages permanently if the server rejects streaming', async () => {
  const run = startReflector({ streamLists: true, objects: 0 });
  run.server.supportsStreaming = false;
  run.server.put('a', 1);
  await settled();
  run.expectEqual();
  run.server.compact();
  run.server.put('b', 1);
  run.server.compact();
  run.server.endWatches(new ApiError(410, 'Expired', 'too old'));
  await run.clock.advance(5_000);
  expect(run.requestsOf('watch').filter(({ sendInitialEvents }) => sendInitialEvents)).toHaveLength(1);
  run.expectEqual();
  await run.stop();
});

test('a watch requests a timeout of 5 to 10 minutes, and the next resumes at once from the last bookmark', async () => {
  const run = startReflector({ objects: 1, random: seededRandom(3) });
  await run.clock.advance(0);
  run.server.put('a', 1);
  await run.clock.advance(3_600_000);
  const watches = run.requestsOf('watch');
  expect(run.requestsOf('list')).toHaveLength(1);
  expect(watches.length).toBeGreaterThanOrEqual(6);
  const durations = watches.slice(1).map(({ at }, index) => at - (watches[index]?.at ?? 0));
  expect(Math.min(...durations)).toBeGreaterThanOrEqual(300_000);
  expect(Math.max(...durations)).toBeLessThanOrEqual(600_000);
  expect(new Set(durations).size).toBeGreaterThan(3);
  expect(new Set(watches.slice(1).map(({ resourceVersion }) => resourceVersion))).toEqual(
    new Set([run.store.resourceVersion]),
  );
  expect(run.errors).toEqual([]);
  await run.stop();
});

test('a watch that the server ends early is restarted after a delay, not at once', async () => {
  const run = startReflector({ objects: 1 });
  await run.clock.advance(1_000);
  run.server.endWatches();
  await run.clock.advance(799);
  expect(run.requestsOf('watch')).toHaveLength(1);
  await run.clock.advance(1);
  expect(run.requestsOf('watch')).toHaveLength(2);
  expect(run.requestsOf('list')).toHaveLength(1);
  await run.stop();
});

test('a watch without events for 150 seconds is aborted and resumed, and missed changes are recovered', async () => {
  const run = startReflector({ objects: 2 });
  await run.clock.advance(100_000);
  run.server.silence();
  run.server.put('late', 1);
  const lastContactAt = run.reflector.lastContactAt;
  await run.clock.advance(100_000);
  expect(run.requestsOf('watch')).toHaveLength(1);
  expect(run.reflector.lastContactAt).toBe(lastContactAt);
  await run.clock.advance(15_000);
  expect(run.requestsOf('watch')).toHaveLength(2);
  expect(run.requestsOf('list')).toHaveLength(1);
  expect(run.errors).toEqual([expect.objectContaining({ reason: 'IdleTimeout' })]);
  run.expectEqual();
  await run.stop();
});

test('an idle watch of a resource without bookmarks is not an error: it restarts with a list', async () => {
  const run = startReflector({ objects: 3, bookmarks: false, streamLists: true });
  await settled();
  run.server.silence();
  run.server.put('missed', 1);
  await run.clock.advance(150_000);
  await run.clock.advance(1000);
  run.expectEqual();
  expect(run.errors).toEqual([]);
  expect([run.requestsOf('list').length, run.requestsOf('watch').length]).toEqual([0, 2]);
  await run.stop();
});

test('bookmarks alone keep a watch alive', async () => {
  const run = startReflector({ objects: 1, random: () => 0.99 });
  await run.clock.advance(500_000);
  expect(run.requestsOf('watch')).toHaveLength(1);
  expect(run.clock.now() - (run.reflector.lastContactAt ?? 0)).toBeLessThanOrEqual(60_000);
  await run.stop();
});

test('a server that was reverted to an earlier state is listed again, and its state takes precedence', async () => {
  const run = startReflector({ objects: 5 });
  await settled();
  const early = [...run.server.state().values()].slice(0, 2);
  for (let index = 0; index < 50; index += 1) run.server.put(`more-${index}`, index);
  run.server.restore(early, 110);
  await run.clock.advance(200_000);
  run.expectEqual();
  expect(run.store.size).toBe(2);
  await run.stop();
});

test('after a Retry-After response, the next request waits for that delay plus jitter', async () => {
  const run = startReflector({ objects: 1, random: () => 0.5 });
  run.server.failures.push(new ApiError(429, 'TooManyRequests', 'busy', { retryAfter: 7_000 }));
  await run.clock.advance(60_000);
  const [first, second] = run.requestsOf('list');
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(7_000 + 800 * 1.5);
  expect(run.errors).toHaveLength(1);
  await run.stop();
});

test('while the server is unreachable, attempts back off to one every 30 to 60 seconds', async () => {
  const run = startReflector({ random: seededRandom(5) });
  run.server.failures.push(...Array.from({ length: 1000 }, () => new ApiError(0, 'Unreachable', 'refused')));
  await run.clock.advance(3_600_000);
  const times = run.requestsOf('list').map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(gaps[0]).toBeLessThan(1_600);
  expect(Math.max(...gaps)).toBeLessThan(60_000);
  expect(Math.min(...gaps.slice(6))).toBeGreaterThanOrEqual(30_000);
  run.server.failures.length = 0;
  run.server.put('a', 1);
  await run.clock.advance(60_000);
  run.expectEqual();
  await run.stop();
});

test('after a resource version expires during a long outage, the reflector lists within 2 seconds', async () => {
  const run = startReflector({ objects: 1, random: seededRandom(5) });
  await settled();
  const unreachable = () => new ApiError(0, 'Unreachable', 'refused');
  run.server.failures.push(...Array.from({ length: 9 }, unreachable));
  run.server.endWatches(unreachable());
  run.server.put('late', 1);
  run.server.compact();
  await run.clock.advance(600_000);
  run.expectEqual();
  const lastWatch = run.requestsOf('watch').findLastIndex(() => true);
  const expired = run.requestsOf('watch')[lastWatch - 1]?.at ?? NaN;
  expect((run.requestsOf('list').at(-1)?.at ?? NaN) - expired).toBeLessThan(2_000);
  await run.stop();
});

test('a server whose lists expire before they can be watched is listed with increasing delays', async () => {
  const run = startReflector({ objects: 1, random: seededRandom(5) });
  await settled();
  const list = run.server.list.bind(run.server);
  run.server.list = async (...args) => {
    const page = await list(...args);
    run.server.put('other', run.clock.now());
    run.server.compact();
    return page;
  };
  run.server.endWatches(new ApiError(410, 'Expired', 'too old'));
  await run.clock.advance(600_000);
  const times = run.requestsOf('list').map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(gaps[0]).toBeLessThan(1_600);
  expect(Math.min(...gaps.slice(7))).toBeGreaterThanOrEqual(30_000);
  run.server.list = list;
  await run.clock.advance(60_000);
  run.expectEqual();
  await run.stop();
});

test('an invalid event is reported, and the next events are processed', async () => {
  const run = startReflector({ objects: 1 });
  await settled();
  run.server.sendRaw({ type: 'MODIFIED', object: { kind: 'ConfigMap' } as unknown as LiveObject });
  run.server.put('a', 1);
  run.expectEqual();
  expect(run.errors).toEqual([expect.any(TypeError)]);
  expect(run.requestsOf('watch')).toHaveLength(1);
  await run.stop();
});

test('a reflector that is stopped while it waits, lists or watches leaves no timers or connections', async () => {
  const waiting = startReflector();
  waiting.server.failures.push(new ApiError(503, 'ServiceUnavailable', 'down'));
  await settled();
  expect(waiting.clock.pending).toBe(1);
  await waiting.stop();
  const listing = startReflector({ objects: 10, pageSize: 1 });
  await Promise.resolve();
  await listing.stop();
});
