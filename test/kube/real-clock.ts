import { type Clock } from '../../lib/process/clock';

/** The machine's own time, for tests that talk to real servers; it never goes back. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
