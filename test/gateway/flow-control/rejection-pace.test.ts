import { RejectionPace } from '../../../lib/gateway/flow-control/rejection-pace';

const second = 1_000;

test('answers the first rejections at once, then twenty a second', () => {
  const pace = new RejectionPace();
  const delays = Array.from({ length: 60 }, () => pace.delayAt(0, 'noisy'));
  expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
  expect(delays.filter((delay) => delay > 0 && delay <= second)).toHaveLength(20);
  expect(delays.at(-1)).toBe(2 * second);
});

test('delays none for more than five seconds, however many there are', () => {
  const pace = new RejectionPace();
  const delays = Array.from({ length: 10_000 }, () => pace.delayAt(0, 'noisy'));
  expect(Math.max(...delays)).toBe(5 * second);
  expect(pace.delayAt(5 * second, 'noisy')).toBe(50);
  expect(pace.delayAt(20 * second, 'noisy')).toBe(0);
});

test('delays those of one account only', () => {
  const pace = new RejectionPace();
  for (let count = 0; count < 1_000; count++) pace.delayAt(0, 'noisy');
  expect(pace.delayAt(0, 'quiet')).toBe(0);
});

test('forgets accounts whose rejections are over', () => {
  const pace = new RejectionPace();
  for (let count = 0; count < 1_000; count++) pace.delayAt(0, 'noisy');
  pace.delayAt(0, 'quiet');
  expect(pace.size).toBe(2);
  pace.sweep(second);
  expect(pace.size).toBe(1);
  pace.sweep(7 * second);
  expect(pace.size).toBe(0);
});
