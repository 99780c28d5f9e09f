import { type Clock } from './clock';

/** How delays grow between attempts that fail. */
export interface BackOffOptions {
  /** Milliseconds before the second attempt, before jitter. @default 800 */
  readonly start?: number;
  /** @default 2 */
  readonly factor?: number;
  /** Milliseconds that the delay before jitter never exceeds. @default 30000 */
  readonly cap?: number;
  /** Share of the delay that is added at random: with 1 a delay lies in [base, 2·base). @default 1 */
  readonly jitter?: number;
  /** Milliseconds without a failure after which delays start small again. @default 120000 */
  readonly resetAfter?: number;
}

/** Growing, scattered delays between attempts. The numbers are those of client-go's reflector (kubernetes#87795). */
export class BackOff {
  private readonly start: number;
  private readonly factor: number;
  private readonly cap: number;
  private readonly jitter: number;
  private readonly resetAfter: number;
  private base: number;
  /** When the last delay that was handed out is over. */
  private over = -Infinity;

  constructor(
    private readonly clock: Clock,
    { start = 800, factor = 2, cap = 30_000, jitter = 1, resetAfter = 120_000 }: BackOffOptions = {},
  ) {
    this.start = start;
    this.factor = factor;
    this.cap = cap;
    this.jitter = jitter;
    this.resetAfter = resetAfter;
    this.base = start;
  }

  /** Milliseconds to wait now; grows with every call until nothing failed for a while. */
  next(): number {
    const now = this.clock.now();
    if (now - this.over >= this.resetAfter) this.reset();
    const delay = this.base * (1 + this.clock.random() * this.jitter);
    this.base = Math.min(this.cap, this.base * this.factor);
    this.over = now + delay;
    return delay;
  }

  /** Makes the next delay small again. */
  reset(): void {
    this.base = Math.min(this.cap, this.start);
  }
}
