import { delay } from '../../lib/process';
import { ManualClock, settled } from '../kube/manual-clock';

test('resolves after the given time', async () => {
  const clock = new ManualClock();
  const resolved = jest.fn();
  void delay(clock, 100).then(resolved);
  await clock.advance(99);
  expect(resolved).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(resolved).toHaveBeenCalledTimes(1);
});

test('resolves as soon as the signal is aborted, and leaves no timer', async () => {
  const clock = new ManualClock();
  const abortController = new AbortController();
  const resolved = jest.fn();
  void delay(clock, 100, abortController.signal).then(resolved);
  await settled();
  expect([clock.pending, resolved.mock.calls.length]).toEqual([1, 0]);
  abortController.abort();
  await settled();
  expect([clock.pending, resolved.mock.calls.length]).toEqual([0, 1]);
});

test('sets no timer when the signal is already aborted', async () => {
  const clock = new ManualClock();
  await delay(clock, 100, AbortSignal.abort());
  expect(clock.pending).toBe(0);
});
