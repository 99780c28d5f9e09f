/** The time, handed in. */
export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after some milliseconds; the returned function takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
  /** A number from 0 to 1, 1 left out: for jitter. */
  random(): number;
}

/** Milliseconds before the second attempt, and that no pause before jitter exceeds. */
const [start, cap] = [250, 10_000];

/** Pauses between attempts that fail: each twice the one before, scattered over its second half. */
export class Pauses {
  private attempts = 0;

  constructor(private readonly clock: ClientClock) {}

  /** Milliseconds to wait now, `least` or more. */
  next(least = 0): number {
    const whole = Math.min(cap, start * 2 ** this.attempts);
    this.attempts = Math.min(this.attempts + 1, 16);
    // Never less than what was asked for, and not all callers at the same moment after it.
    const jitter = this.clock.random();
    return least > whole ? least + jitter * start : Math.max(least, whole * (0.5 + jitter / 2));
  }

  /** Makes the next pause small again. */
  reset(): void {
    this.attempts = 0;
  }
}

/** Milliseconds that a header Retry-After asks for: seconds, or a date; undefined for any other text. */
export function retryAfterIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,8}$/.test(header.trim())) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/** Waits; throws the reason of the signal as soon as that is raised. */
export function pause(clock: ClientClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason as Error);
    const stop = (): void => {
      takeBack();
      fail(signal?.reason as Error);
    };
    const takeBack = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', stop);
      done();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
