import * as fc from 'fast-check';
import { LruCache } from '../../lib/submission/lru-cache';

test('recently used entries are kept, the least recently used is evicted first', () => {
  const cache = new LruCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});

test('the capacity is never exceeded, except by a single large value', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(20)), { minLength: 1 }), fc.nat(40), (sets, capacity) => {
      const cache = new LruCache<number>(capacity);
      for (const [key, weight] of sets) cache.set(`${key}`, weight, weight);
      const [last, weight] = sets.at(-1) as [number, number];
      expect(cache.get(`${last}`)).toBe(weight);
      const all = Array.from({ length: 10 }, (_, key) => (key === last ? 0 : (cache.get(`${key}`) ?? 0)));
      expect(all.reduce((a, b) => a + b) + weight).toBeLessThanOrEqual(Math.max(capacity, weight));
    }),
  ));
