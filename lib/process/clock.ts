/** Time source, passed in so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back once after a number of milliseconds; the returned function cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Random number from 0 up to, but not including, 1; for jitter. */
  random(): number;
}

/** Longest delay of a Node timer in milliseconds; a longer one would fire at once. */
const maxTimerDelay = 2 ** 31 - 1;

function after(milliseconds: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const arm = (left: number): void => {
    const delay = Math.min(left, maxTimerDelay);
    timer = setTimeout(() => (delay < left ? arm(left - delay) : callback()), delay);
  };
  arm(milliseconds);
  return () => clearTimeout(timer);
}

const random = (): number => Math.random();

/** Clock that follows the system time. */
export const systemClock: Clock = { now: () => Date.now(), after, random };

/** Clock that starts at the system time and never goes back, because a clock that is set back would extend a lease. */
export const monotonicClock: Clock = { now: () => performance.timeOrigin + performance.now(), after, random };
