import { inspect } from 'node:util';
import { ExpiringCache } from '../../../lib/submission/identity/expiring-cache';

test('entries expire by age, the oldest are dropped beyond the maximum, and no secret is stored', () => {
  const cache = new ExpiringCache<number>(3);
  for (let index = 0; index < 5; index++) cache.set(`planted-secret-${index}`, index, 100);
  expect([0, 1, 2, 3, 4].map((index) => cache.get(`planted-secret-${index}`, 99))).toEqual([
    undefined,
    undefined,
    2,
    3,
    4,
  ]);
  expect(inspect(cache, { depth: 5, showHidden: true })).not.toContain('planted-secret');
  expect(cache.get('planted-secret-4', 100)).toBeUndefined();
  cache.clear();
  expect(cache.get('planted-secret-3', 0)).toBeUndefined();
});
