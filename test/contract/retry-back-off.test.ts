import { RetryBackOff } from '../../lib/contract';

const delays = { start: 1000, cap: 30_000 };
/** Returns the delays after a number of failures. */
const delaysAfter = (random: number, failures: number, minDelay = 0): number[] => {
  const backOff = new RetryBackOff({ random: () => random }, delays);
  return Array.from({ length: failures }, () => backOff.next(minDelay));
};

test('delays double up to the maximum, and jitter shortens them by at most half', () => {
  expect(delaysAfter(1, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(delaysAfter(0.5, 3).at(-1)).toBe(3000);
  expect(delaysAfter(0, 3).at(-1)).toBe(2000);
});

test('a requested delay is respected, and jitter spreads callers after it', () => {
  expect(delaysAfter(0, 1, 60_000)).toEqual([60_000]);
  expect(delaysAfter(0.5, 1, 60_000)).toEqual([60_500]);
});

test('delays start again after a reset', () => {
  const backOff = new RetryBackOff({ random: () => 1 }, delays);
  expect([backOff.next(), backOff.next()]).toEqual([1000, 2000]);
  backOff.reset();
  expect(backOff.next()).toBe(1000);
});
