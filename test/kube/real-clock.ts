import { type Clock } from '../../lib/process/clock';

/** The real, monotonic clock, for tests that use real servers. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
