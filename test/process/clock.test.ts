import { monotonicClock, systemClock } from '../../lib/process';

const dayMs = 86_400_000;

describe.each([
  ['system', systemClock],
  ['monotonic', monotonicClock],
])('the %s clock', (_, clock) => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('calls back once, after the given time', () => {
    const callback = jest.fn();
    clock.after(100, callback);
    jest.advanceTimersByTime(99);
    expect(callback).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('waits longer than the 2^31 ms of a Node.js timer', () => {
    const callback = jest.fn();
    const start = clock.now();
    let end = 0;
    clock.after(60 * dayMs, () => {
      callback();
      end = clock.now();
    });
    jest.advanceTimersByTime(60 * dayMs - 1);
    expect(callback).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60 * dayMs);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(end - start).toBe(60 * dayMs);
  });

  it('cancels a timer, even after its first 2^31 ms', () => {
    const callback = jest.fn();
    const cancelSoon = clock.after(100, callback);
    const cancelLate = clock.after(60 * dayMs, callback);
    cancelSoon();
    jest.advanceTimersByTime(30 * dayMs);
    cancelLate();
    jest.advanceTimersByTime(60 * dayMs);
    expect(callback).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('returns the current time and random numbers from 0 to 1', () => {
    jest.useRealTimers();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
    const numbers = Array.from({ length: 100 }, () => clock.random());
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(50);
  });
});
