import { exponentialDelay, type Clock } from '../process';

/** Delays between retries, before jitter. */
export interface RetryDelays {
  /** Milliseconds before the first retry; doubled for each later one. */
  readonly start: number;
  /** Maximum delay in milliseconds. */
  readonly cap: number;
}

const defaultDelays: RetryDelays = { start: 250, cap: 10_000 };

/** Exponential back-off with jitter over the second half of each delay. */
export class RetryBackOff {
  private attempts = 0;

  constructor(
    private readonly clock: Pick<Clock, 'random'>,
    private readonly delays: RetryDelays = defaultDelays,
  ) {}

  /** Returns the next delay in milliseconds, at least `minDelay`. */
  next(minDelay = 0): number {
    const fullDelay = exponentialDelay(this.attempts, this.delays);
    this.attempts += 1;
    // Honor Retry-After, but spread the retries of different clients.
    const jitter = this.clock.random();
    return minDelay > fullDelay
      ? minDelay + jitter * this.delays.start
      : Math.max(minDelay, fullDelay * (0.5 + jitter / 2));
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
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
