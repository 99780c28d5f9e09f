import fc from 'fast-check';
import { type CachedObject } from '../../../lib/gateway/cache/cached-object';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { selectionOf } from '../../../lib/gateway/cache/object-selection';
import { type CacheEvent } from '../../../lib/gateway/cache/watch-event';
import { lineOf, pod, pods } from '../pods';

const all = selectionOf(undefined, undefined, undefined);
const cacheOf = (limits = { events: 1_000, bytes: 1_000_000 }): ObjectCache => new ObjectCache(pods, limits);
const apply = (cache: ObjectCache, type: CacheEvent['type'], object: CachedObject): void =>
  cache.apply(type, object, lineOf(type, object));

// A hyphen and a dot sort before the slash between namespace and name.
const namespace = fc.constantFrom('a', 'a-b', 'a.b', 'ab', 'b');
const name = fc.constantFrom('p', 'p-1', 'p.1', 'p1', 'q');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), namespace, name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), namespace, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bookmark' as const), namespace, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refill' as const), namespace, name }) },
);

/** Cache as one would write it without regard to speed. */
class Model {
  objects = new Map<string, CachedObject>();
  events: CacheEvent[] = [];
  version = 0;
  /** Version after which all events are known. */
  start = 0;

  list(within: string | undefined): string[] {
    const keys = [...this.objects.values()].filter((object) => within === undefined || object.namespace === within);
    return keys.map(({ key }) => key).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  }
}

test('objects, their order and the known events are those of a naive cache', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (steps, events) => {
      const cache = cacheOf({ events, bytes: 1_000_000 });
      const model = new Model();
      cache.replace([], 0);
      for (const { do: what, namespace: within, name: called } of steps) {
        model.version += 1;
        const object = pod(called, model.version, { namespace: within });
        if (what === 'bookmark') cache.advance(model.version);
        else if (what === 'refill') {
          cache.replace([object, pod('first', 1)], model.version);
          model.objects = new Map([object, pod('first', 1)].map((one) => [one.key, one]));
          [model.events, model.start] = [[], model.version];
        } else {
          const type = what === 'delete' ? 'DELETED' : model.objects.has(object.key) ? 'MODIFIED' : 'ADDED';
          if (what === 'delete' && !model.objects.has(object.key)) continue;
          const previous = model.objects.get(object.key);
          apply(cache, type, object);
          model.events.push({
            type,
            version: model.version,
            object,
            frame: lineOf(type, object),
            ...(previous && { previous }),
          });
          if (model.events.length > events) model.start = model.events.at(-events - 1)?.version ?? 0;
          if (what === 'delete') model.objects.delete(object.key);
          else model.objects.set(object.key, object);
        }
        expect(cache.version).toBe(model.version);
        expect(cache.size).toBe(model.objects.size);
        expect([...cache.list(all)].map(({ key }) => key)).toEqual(model.list(undefined));
        for (const one of ['a', 'a-b', 'ab', 'absent'])
          expect([...cache.list(selectionOf(one, undefined, undefined))].map(({ key }) => key)).toEqual(
            model.list(one),
          );
      }
      for (let version = 0; version <= model.version + 1; version++) {
        const known = model.events.filter((event) => event.version > version);
        expect(cache.eventsAfter(version)).toEqual(version < model.start ? undefined : known);
      }
      expect(cache.oldestVersion).toBe(model.start);
    }),
  );
});

test('whoever takes a list and then its events has, at every moment, what a new list returns', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(39), (steps, from) => {
      const cache = cacheOf();
      cache.replace([], 0);
      const seen = new Map<string, number>();
      let isReset = false;
      for (const [index, { do: what, namespace: within, name: called }] of steps.entries()) {
        if (index === from) {
          for (const { key, version } of cache.list(all)) seen.set(key, version);
          cache.subscribe({
            onEvent: ({ type, object }) => {
              if (type === 'DELETED') seen.delete(object.key);
              else seen.set(object.key, object.version);
            },
            onEnd: () => (isReset = true),
          });
        }
        const object = pod(called, index + 1, { namespace: within });
        if (what === 'set') apply(cache, cache.get(object.key) ? 'MODIFIED' : 'ADDED', object);
        else if (what === 'delete') apply(cache, 'DELETED', object);
        else if (what === 'refill') cache.replace([object], index + 1);
        if (index < from || isReset) continue;
        const listed = [...cache.list(all)].map(({ key, version }) => [key, version]);
        expect([...seen.entries()].sort(([one], [other]) => (one < other ? -1 : 1))).toEqual(listed);
      }
    }),
  );
});

test('a subscriber that leaves or joins during an event disturbs no other', () => {
  const cache = cacheOf();
  cache.replace([], 1);
  const seen: string[] = [];
  const leave = cache.subscribe({
    onEvent: () => {
      seen.push('first');
      leave();
    },
    onEnd: () => undefined,
  });
  cache.subscribe({ onEvent: () => seen.push('second'), onEnd: () => seen.push('reset') });
  apply(cache, 'ADDED', pod('p', 2));
  apply(cache, 'MODIFIED', pod('p', 3));
  expect(seen).toEqual(['first', 'second', 'second']);
  cache.replace([], 4);
  expect(seen.at(-1)).toBe('reset');
  expect(cache.watches).toBe(0);
});

test('a subscriber that follows a refilled cache again is told of the next reset once', () => {
  const cache = cacheOf();
  let resets = 0;
  const follow = (): void =>
    void cache.subscribe({
      onEvent: () => undefined,
      onEnd: () => {
        resets += 1;
        follow();
      },
    });
  follow();
  cache.replace([], 1);
  cache.replace([pod('p', 2)], 2);
  expect(resets).toBe(2);
  expect(cache.watches).toBe(1);
});

test('whoever waits is called once, and not after canceling', () => {
  const cache = cacheOf();
  const calls: string[] = [];
  cache.onceAdvanced(() => calls.push('waits'));
  cache.onceAdvanced(() => calls.push('canceled'))();
  cache.replace([], 5);
  cache.advance(4);
  cache.advance(5);
  expect(calls).toEqual(['waits']);
  cache.onceAdvanced(() => calls.push('again'));
  cache.advance(6);
  expect(calls).toEqual(['waits', 'again']);
});

test('a subscriber that throws keeps no other from its events, and is reported', () => {
  const errors: unknown[] = [];
  const cache = new ObjectCache(pods, { events: 10, bytes: 1_000 }, (error) => errors.push(error));
  const broken = (): never => {
    throw new Error('broken');
  };
  const seen: string[] = [];
  cache.replace([], 1);
  cache.subscribe({ onEvent: broken, onEnd: broken });
  cache.subscribe({ onEvent: ({ object }) => seen.push(object.name), onEnd: () => seen.push('end') });
  cache.onceAdvanced(broken);
  cache.onceAdvanced(() => seen.push('advanced'));
  apply(cache, 'ADDED', pod('p', 2));
  cache.replace([], 3);
  expect(seen).toEqual(['p', 'advanced', 'end']);
  expect(errors).toEqual([new Error('broken'), new Error('broken'), new Error('broken')]);
});

test('a cache that is cleared has nothing, ends its watches as expired, and is infinitely old', () => {
  const cache = cacheOf();
  cache.replace([pod('p', 1)], 1);
  cache.noteContact(1_000);
  const ends: boolean[] = [];
  cache.subscribe({ onEvent: () => undefined, onEnd: (expired) => ends.push(expired) });
  cache.clear();
  expect([cache.size, cache.version, cache.ageAt(1_000), cache.eventsAfter(1)]).toEqual([
    0,
    undefined,
    Infinity,
    undefined,
  ]);
  expect(ends).toEqual([true]);
});

test('a list with the same objects keeps the watches and their events, any other one ends them', () => {
  const ends = (objects: readonly CachedObject[], version: number): readonly boolean[] => {
    const cache = cacheOf();
    cache.replace([], 1);
    apply(cache, 'ADDED', pod('p', 5));
    const ended: boolean[] = [];
    cache.subscribe({ onEvent: () => undefined, onEnd: (expired) => ended.push(expired) });
    cache.replace(objects, version);
    expect([cache.version, cache.eventsAfter(1)?.length]).toEqual(
      ended.length === 0 ? [version, 1] : [version, undefined],
    );
    return ended;
  };
  expect(ends([pod('p', 5)], 9)).toEqual([]);
  expect(ends([pod('p', 6)], 9)).toEqual([true]);
  expect(ends([pod('q', 5)], 9)).toEqual([true]);
  expect(ends([], 9)).toEqual([true]);
  // A server that was restored to an earlier state.
  expect(ends([pod('p', 5)], 4)).toEqual([true]);
});
