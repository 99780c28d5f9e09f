import * as fc from 'fast-check';
import { addressKey } from '../../lib/submission/http/address-key';
import { ConcurrencyLimiter } from '../../lib/submission/http/concurrency-limiter';
import { RateLimit } from '../../lib/submission/rate-limit';
import { realClock } from './http/test-server';

test('no caller exceeds burst and rate in any interval, or waits longer than reported', () => {
  const steps = fc.array(fc.integer({ min: -500, max: 3_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), (waits, qps, burst) => {
      let now = 10_000_000;
      const limit = new RateLimit({ qps, burst }, 10, { ...realClock, now: () => now });
      let [granted, elapsed] = [0, 0];
      for (const wait of waits) {
        now += wait;
        elapsed += Math.max(0, wait);
        const delay = limit.take('one');
        if (delay === undefined) granted += 1;
        else {
          now += delay;
          elapsed += delay;
          expect(limit.take('one')).toBeUndefined();
          granted += 1;
        }
        expect(granted).toBeLessThanOrEqual(burst + (elapsed * qps) / 1000 + 1e-6);
      }
    }),
  );
});

test('a bounded number of callers is tracked, and the least recently seen is dropped', () => {
  const limit = new RateLimit({ qps: 0.001, burst: 1 }, 3, { ...realClock, now: () => 0 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) limit.take(key);
  expect(limit.size).toBe(3);
  expect(['a', 'c', 'd'].map((key) => limit.take(key))).toEqual([1e6, 1e6, 1e6]);
  expect(limit.take('b')).toBeUndefined();
});

test('releasing a slot again has no effect, and callers without a slot are not tracked', () => {
  const limiter = new ConcurrencyLimiter(2, 2);
  const first = limiter.acquire('a');
  const second = limiter.acquire('a');
  expect([limiter.acquire('a'), limiter.acquire('b'), limiter.active]).toEqual(['all', 'all', 2]);
  for (const release of [first, first, second]) if (typeof release === 'function') release();
  expect(limiter.active).toBe(0);
  expect(typeof limiter.acquire('a')).toBe('function');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:01:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the rate limit of %s is that of %s', (address, key) => expect(addressKey(address)).toBe(key));
