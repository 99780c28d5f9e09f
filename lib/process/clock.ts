/** Time source, passed in so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls the callback once after a number of milliseconds; the returned function cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Random number from 0 up to, but not including, 1; for jitter. */
  random(): number;
}

/** Maximum delay of a Node.js timer in milliseconds; timers with longer delays fire immediately. */
const maxTimerDelay = 2 ** 31 - 1;

function after(milliseconds: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const startTimer = (remaining: number): void => {
    const delay = Math.min(remaining, maxTimerDelay);
    timer = setTimeout(() => (delay < remaining ? startTimer(remaining - delay) : callback()), delay);
  };
  startTimer(milliseconds);
  return () => clearTimeout(timer);
}

const random = (): number => Math.random();

/** Clock that follows the system time. */
export const systemClock: Clock = { now: () => Date.now(), after, random };

/** Clock that starts at the system time and never goes backwards, because setting the clock back would extend a lease. */
export const monotonicClock: Clock = { now: () => performance.timeOrigin + performance.now(), after, random };
