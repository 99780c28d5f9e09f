import { RetryBackOff } from '../../lib/contract';

const delays = { start: 1000, cap: 30_000 };
/** Returns the pauses after some failures. */
const pauses = (random: number, failures: number, least = 0): number[] => {
  const backOff = new RetryBackOff({ random: () => random }, delays);
  return Array.from({ length: failures }, () => backOff.next(least));
};

test('pauses double up to the maximum, and jitter shortens them by at most half', () => {
  expect(pauses(1, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(pauses(0.5, 3).at(-1)).toBe(3000);
  expect(pauses(0, 3).at(-1)).toBe(2000);
});

test('a requested delay is respected, and callers are spread after it', () => {
  expect(pauses(0, 1, 60_000)).toEqual([60_000]);
  expect(pauses(0.5, 1, 60_000)).toEqual([60_500]);
});

test('starts again after a reset', () => {
  const backOff = new RetryBackOff({ random: () => 1 }, delays);
  expect([backOff.next(), backOff.next()]).toEqual([1000, 2000]);
  backOff.reset();
  expect(backOff.next()).toBe(1000);
});
