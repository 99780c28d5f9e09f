import * as fc from 'fast-check';
import { Registry } from 'prom-client';
import {
  ApiError,
  SharedInformerFactory,
  type ResourceEventHandler,
  type InformerOptions,
  keyOf,
  type LiveObject,
  resourceOf,
  SharedInformer,
  trimForCache,
} from '../../lib/kube';
import { ManualClock, seededRandom, settled } from './manual-clock';
import { ListWatchServer } from './list-watch-server';

const resource = resourceOf('ConfigMap');
const hour = 3_600_000;

function makeInformer(options: Partial<InformerOptions<LiveObject>> = {}, random: () => number = () => 0) {
  const clock = new ManualClock(random);
  const server = new ListWatchServer(clock, resource);
  const errors: unknown[] = [];
  const informer = new SharedInformer<LiveObject>({
    client: server,
    clock,
    resource,
    transform: (object) => object,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { clock, server, errors, informer };
}

/** A handler that keeps the state of its events, and fails on an event that does not follow from that state. */
class TrackingHandler implements ResourceEventHandler<LiveObject> {
  readonly objects = new Map<string, LiveObject>();

  onAdd(after: LiveObject, key: string): void {
    expect(this.objects.has(key)).toBe(false);
    this.objects.set(key, after);
  }

  onUpdate(before: LiveObject, after: LiveObject, key: string): void {
    expect(this.objects.get(key)).toBe(before);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    this.objects.set(key, after);
  }

  onDelete(last: LiveObject, key: string): void {
    expect(this.objects.get(key)?.metadata.uid).toBe(last.metadata.uid);
    this.objects.delete(key);
  }
}

test('handlers are notified of existing objects and of changes, including handlers that are added late', async () => {
  const { server, informer, errors } = makeInformer();
  server.put('a', 1);
  const [early, late] = [new TrackingHandler(), new TrackingHandler()];
  informer.addEventHandler(early);
  expect(informer.hasSynced()).toBe(false);
  informer.start();
  await informer.waitForCacheSync();
  await settled();
  server.put('b', 1);
  const remove = informer.addEventHandler(late);
  server.put('a', 2);
  server.deleteObject('b');
  expect([early.objects, late.objects]).toEqual([server.state(), server.state()]);
  remove();
  server.put('c', 1);
  expect([early.objects.size, late.objects.size]).toEqual([2, 1]);
  expect(errors).toEqual([]);
  await informer.stop();
});

test('an error or rejection of a handler is reported, and the others continue', async () => {
  const { server, informer, errors } = makeInformer();
  const tracker = new TrackingHandler();
  informer.addEventHandler({
    onAdd: () => {
      throw new Error('thrown');
    },
  });
  informer.addEventHandler({ onAdd: (() => Promise.reject(new Error('rejected'))) as () => void });
  informer.addEventHandler(tracker);
  informer.start();
  await informer.waitForCacheSync();
  await settled();
  server.put('a', 1);
  await settled();
  expect(errors).toEqual([new Error('thrown'), new Error('rejected')]);
  expect(tracker.objects).toEqual(server.state());
  await informer.stop();
});

test('waiting for the first list ends when its signal is aborted', async () => {
  const { informer } = makeInformer();
  await expect(informer.waitForCacheSync(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  const stopping = new AbortController();
  const waiting = informer.waitForCacheSync(stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});

test('a resync notifies every handler of every object, with the same state before and after', async () => {
  const { clock, server, informer } = makeInformer({ resync: hour });
  server.put('a', 1);
  server.put('b', 1);
  const notified: string[] = [];
  informer.addEventHandler({ onUpdate: (before, after, key) => notified.push(`${key} ${before === after}`) });
  informer.start();
  await clock.advance(hour - 1);
  expect(notified).toEqual([]);
  await clock.advance(1);
  expect(notified).toEqual(['default/a true', 'default/b true']);
  await informer.stop();
  expect(clock.pending).toBe(0);
});

test('managed fields and the last-applied annotation are dropped before an object is cached', () => {
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
  const metadata = {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    managedFields: [{ manager: 'kubectl', operation: 'Apply' as const }],
    annotations: { [lastApplied]: '{}', 'example.com/kept': 'yes' },
  };
  expect(trimForCache({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } })).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', annotations: { 'example.com/kept': 'yes' } },
    data: { a: '1' },
  });
});

describe('a factory', () => {
  const makeFactory = () => {
    const clock = new ManualClock();
    const server = new ListWatchServer(clock, resource);
    const registry = new Registry();
    const undecodable: string[] = [];
    const factory = new SharedInformerFactory({
      client: server,
      clock,
      registry,
      onError: () => undefined,
      onUndecodable: (key) => undecodable.push(key),
    });
    return { clock, server, registry, factory, undecodable };
  };

  test('creates one informer per resource and selector, however many callers ask', async () => {
    const { server, factory, clock } = makeFactory();
    const request = { resource, transform: trimForCache };
    const informer = factory.informer(request);
    expect(factory.informer(request)).toBe(informer);
    const other = factory.informer({ ...request, selection: { labelSelector: 'a=b' } });
    expect(other).not.toBe(informer);
    expect(() => factory.informer({ ...request, transform: keyOf })).toThrow('another transform');
    server.put('a', 1);
    expect([factory.hasSynced(), factory.lastContactAt()]).toEqual([false, undefined]);
    factory.start();
    await factory.waitForCacheSync(AbortSignal.timeout(5_000));
    expect(server.requests.filter(({ verb }) => verb === 'list')).toHaveLength(2);
    expect([factory.hasSynced(), factory.lastContactAt(), informer.store.size]).toEqual([true, clock.now(), 1]);
    await factory.stop();
    expect([clock.pending, server.openWatches]).toEqual([0, 0]);
  });

  test("counts lists, watches, versions and undecodable objects under client-go's names", async () => {
    const { server, factory, registry, undecodable, clock } = makeFactory();
    factory.informer({
      resource,
      transform: ({ value }) => {
        if (value === 'bad') throw new Error('bad');
        return value;
      },
    });
    server.put('a', 1);
    server.put('b', 'bad');
    factory.start();
    await factory.waitForCacheSync();
    await settled();
    server.endWatches(new ApiError(0, 'Unreachable', 'gone'));
    await clock.advance(2_000);
    const text = await registry.metrics();
    expect(undecodable).toEqual(['default/b']);
    expect(text).toContain('reflector_lists_total{name="ConfigMap"} 1');
    expect(text).toContain('reflector_items_per_list_sum{name="ConfigMap"} 2');
    expect(text).toContain('reflector_short_watches_total{name="ConfigMap"} 1');
    expect(text).toContain('reflector_last_resource_version{name="ConfigMap"} 102');
    expect(text).toContain('pinion_undecodable_objects_total{name="ConfigMap"} 1');
    await factory.stop();
    expect(await registry.metrics()).not.toContain('reflector_last_resource_version{');
  });
});

const names = ['a', 'b', 'c', 'd', 'e'];
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name: fc.constantFrom(...names) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom(...names) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('turn' as const), by: fc.constantFrom(0, 500, 20_000, 400_000) }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'tick' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('hold', 'deliver', 'compact', 'silence', 'end', 'break', 'expire', 'refuse'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Performs a random change on the server or delivers a pending response, in any order. */
async function act({ server, informer, clock }: ReturnType<typeof makeInformer>, responses: (() => void)[], one: Step) {
  if (one.do === 'put') {
    const object = server.put(one.name, clock.now());
    responses.push(() => informer.offer(object));
  } else if (one.do === 'delete') {
    const last = server.deleteObject(one.name);
    if (last) responses.push(() => informer.offerDeleted(keyOf(last), last.metadata.uid));
  } else if (one.do === 'answer') responses.splice(one.which % (responses.length || 1), 1)[0]?.();
  else if (one.do === 'turn') await clock.advance(one.by);
  else if (one.do === 'tick') await Promise.resolve();
  else if (one.do === 'end') server.endWatches();
  else if (one.do === 'break') server.endWatches(new ApiError(0, 'Unreachable', 'broken'));
  else if (one.do === 'expire') server.endWatches(new ApiError(410, 'Expired', 'too old'));
  else if (one.do === 'refuse')
    server.failures.push(new ApiError(429, 'TooManyRequests', 'busy', { retryAfter: 1_000 }));
  else if (one.do === 'hold') server.hold();
  else if (one.do === 'deliver') server.deliver();
  else if (one.do === 'compact') server.compact();
  else if (one.do === 'silence') server.silence();
}

test.each([
  ['in pages', false],
  ['streamed', true],
])('in the end store and handlers equal the server, whatever happened before (lists %s)', async (_, streamed) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(), async (steps, seed) => {
      const made = makeInformer({ streamLists: streamed, pageSize: 2 }, seededRandom(seed));
      const { server, informer, clock, errors } = made;
      const trackers = [new TrackingHandler(), new TrackingHandler()];
      trackers.forEach((tracker) => informer.addEventHandler(tracker));
      const responses: (() => void)[] = [];
      informer.start();
      for (const one of steps) await act(made, responses, one);
      server.deliver();
      server.failures.length = 0;
      await clock.advance(hour);
      for (const respond of responses) respond(); // as late as possible
      expect(new Map(informer.store.entries())).toEqual(server.state());
      for (const { objects } of trackers) expect(objects).toEqual(server.state());
      expect(errors.filter((error) => !(error instanceof ApiError))).toEqual([]);
      await informer.stop();
      expect([clock.pending, server.openWatches]).toEqual([0, 0]);
    }),
    { numRuns: 300 },
  );
});
