import { type Clock } from './clock';

/** One term of leading: begins with the first extension, ends once and for good. */
export class LeadTerm {
  readonly #ending = new AbortController();
  #until: number | undefined;
  #takeBack: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly on: {
      /** It has begun or ended. */
      readonly change: (leads: boolean) => void;
      /** Its time ran out. */
      readonly expiry: () => void;
    },
  ) {}

  /** Raised when it ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** When it ends unless it is extended, in milliseconds since 1970; undefined before and after it. */
  get until(): number | undefined {
    return this.#until;
  }

  /** Whether it lasts, by the clock: timers may be late. */
  isOn(): boolean {
    return this.#until !== undefined && this.clock.now() < this.#until;
  }

  /** Begins or extends it up to a moment. False where that has passed, or the term has ended. */
  extend(until: number): boolean {
    const left = until - this.clock.now();
    if (this.signal.aborted || left <= 0) return false;
    const begins = this.#until === undefined;
    this.#until = until;
    this.#takeBack?.();
    this.#takeBack = this.clock.after(left, this.on.expiry);
    if (begins) this.on.change(true);
    return true;
  }

  /** Ends it. */
  end(): void {
    if (this.signal.aborted) return;
    const begun = this.#until !== undefined;
    this.#until = undefined;
    this.#takeBack?.();
    this.#ending.abort();
    if (begun) this.on.change(false);
  }
}
