import { type Clock } from './clock';

/** Delays between failed attempts. */
export interface BackOffOptions {
  /** Milliseconds before the second attempt, before jitter. @default 800 */
  readonly start?: number;
  /** @default 2 */
  readonly factor?: number;
  /** Maximum delay before jitter, in milliseconds. @default 30000 */
  readonly cap?: number;
  /** Maximum random share that is added to a delay: with 1, delays are in [base, 2·base). @default 1 */
  readonly jitter?: number;
  /** Milliseconds without a failure after which the delay is reset. @default 120000 */
  readonly resetAfter?: number;
}

/** Returns the delay before jitter for a number of failures: `start` for none, multiplied by `factor` for each failure, up to `cap`. */
export const exponentialDelay = (
  failures: number,
  { start, cap, factor = 2 }: { readonly start: number; readonly cap: number; readonly factor?: number },
): number => Math.min(cap, start * factor ** failures);

/** Exponential back-off with jitter. The defaults are those of client-go's reflector (kubernetes#87795). */
export class BackOff {
  private readonly options: Required<BackOffOptions>;
  private failures = 0;
  /** Time when the last returned delay ends. */
  private end = -Infinity;

  constructor(
    private readonly clock: Clock,
    { start = 800, factor = 2, cap = 30_000, jitter = 1, resetAfter = 120_000 }: BackOffOptions = {},
  ) {
    this.options = { start, factor, cap, jitter, resetAfter };
  }

  /** Returns the delay before the next attempt in milliseconds; it grows with every call until `resetAfter` without calls. */
  next(): number {
    const now = this.clock.now();
    if (now - this.end >= this.options.resetAfter) this.reset();
    const delay = exponentialDelay(this.failures, this.options) * (1 + this.clock.random() * this.options.jitter);
    this.failures += 1;
    this.end = now + delay;
    return delay;
  }

  /** Resets the delay to `start`. */
  reset(): void {
    this.failures = 0;
  }
}
