import * as fc from 'fast-check';
import { BackOff } from '../../lib/kube';
import { ManualClock, seededRandom } from '../kube/manual-clock';

const bases = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];

test('delays double from 0.8 s to 30 s', () => {
  const backOff = new BackOff(new ManualClock(() => 0));
  expect(bases.map(() => backOff.next())).toEqual(bases);
});

test('each delay lies between its base and twice its base, for any random number', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1 - 2 ** -32, noNaN: true }), { minLength: 8 }), (randomNumbers) => {
      let index = 0;
      const backOff = new BackOff(new ManualClock(() => randomNumbers[index++ % randomNumbers.length] ?? 0));
      for (const base of bases) {
        const delay = backOff.next();
        expect(delay).toBeGreaterThanOrEqual(base);
        expect(delay).toBeLessThan(2 * base);
      }
    }),
  );
});

test('delays of a thousand clients that fail at the same time are spread evenly', () => {
  const random = seededRandom(1);
  const delays = Array.from({ length: 1000 }, () => new BackOff(new ManualClock(random)).next());
  const tenths = Array.from({ length: 10 }, (_, i) => delays.filter((d) => Math.floor((d - 800) / 80) === i).length);
  expect(Math.min(...tenths)).toBeGreaterThan(60);
  expect(Math.max(...tenths)).toBeLessThan(140);
});

test('delays reset two minutes after the last one has ended, and not earlier', async () => {
  const clock = new ManualClock(() => 0);
  const backOff = new BackOff(clock);
  expect([backOff.next(), backOff.next()]).toEqual([800, 1_600]);
  await clock.advance(1_600 + 119_999);
  expect(backOff.next()).toBe(3_200);
  await clock.advance(3_200 + 120_000);
  expect(backOff.next()).toBe(800);
});

test('start, factor, maximum and jitter can be set', () => {
  const backOff = new BackOff(new ManualClock(() => 0.5), { start: 10, factor: 3, cap: 50, jitter: 0.2 });
  expect([backOff.next(), backOff.next(), backOff.next()].map(Math.round)).toEqual([11, 33, 55]);
});
