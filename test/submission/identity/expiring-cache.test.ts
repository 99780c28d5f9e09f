import { inspect } from 'node:util';
import { ExpiringCache } from '../../../lib/submission/identity/expiring-cache';

test('entries expire by time and by number, and contain no secret', () => {
  const remembered = new ExpiringCache<number>(3);
  for (let nth = 0; nth < 5; nth++) remembered.set(`planted-secret-${nth}`, nth, 100);
  expect([0, 1, 2, 3, 4].map((nth) => remembered.get(`planted-secret-${nth}`, 99))).toEqual([
    undefined,
    undefined,
    2,
    3,
    4,
  ]);
  expect(inspect(remembered, { depth: 5, showHidden: true })).not.toContain('planted-secret');
  expect(remembered.get('planted-secret-4', 100)).toBeUndefined();
  remembered.clear();
  expect(remembered.get('planted-secret-3', 0)).toBeUndefined();
});
