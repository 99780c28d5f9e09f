import { exponentialDelay, type Clock } from '../process';

/** Delays between retries, before jitter. */
export interface RetryDelays {
  /** Milliseconds before the first retry; doubled by each further one. */
  readonly start: number;
  /** Maximum delay in milliseconds. */
  readonly cap: number;
}

const defaultDelays: RetryDelays = { start: 250, cap: 10_000 };

/** Exponential back-off with jitter over the second half of each pause. */
export class RetryBackOff {
  private attempts = 0;

  constructor(
    private readonly clock: Pick<Clock, 'random'>,
    private readonly delays: RetryDelays = defaultDelays,
  ) {}

  /** Returns the next pause in milliseconds, at least `least`. */
  next(least = 0): number {
    const whole = exponentialDelay(this.attempts, this.delays);
    this.attempts += 1;
    // Honor Retry-After, but spread the callers after it.
    const jitter = this.clock.random();
    return least > whole ? least + jitter * this.delays.start : Math.max(least, whole * (0.5 + jitter / 2));
  }

  /** Resets the back-off. */
  reset(): void {
    this.attempts = 0;
  }
}

/** Returns the milliseconds of a Retry-After header in seconds or as a date; undefined if it is invalid. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,8}$/.test(header.trim())) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
