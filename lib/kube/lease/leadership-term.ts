import { type Clock } from '../../process';

/** Term of leadership: starts with the first extension and ends once. */
export class LeadershipTerm {
  readonly #ending = new AbortController();
  #until: number | undefined;
  #cancelExpiry: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly on: {
      /** Called when the term starts or ends. */
      readonly change: (leads: boolean) => void;
      /** Called when the term expires. */
      readonly expiry: () => void;
    },
  ) {}

  /** Aborted when the term drains or ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Expiry in milliseconds since 1970; undefined before and after the term. */
  get until(): number | undefined {
    return this.#until;
  }

  /** Returns whether the term is active; checks the clock, because timers may be late. */
  isActive(): boolean {
    return this.#until !== undefined && this.clock.now() < this.#until;
  }

  /** Starts or extends the term up to a time; returns false if that time has passed or the term has ended. */
  extend(until: number): boolean {
    const remaining = until - this.clock.now();
    if (this.signal.aborted || remaining <= 0) return false;
    const isFirst = this.#until === undefined;
    this.#until = until;
    this.#cancelExpiry?.();
    this.#cancelExpiry = this.clock.after(remaining, this.on.expiry);
    if (isFirst) this.on.change(true);
    return true;
  }

  /** Aborts the signal; the term remains active until it expires or ends, so that work in progress can be completed. */
  drain(): void {
    this.#ending.abort();
  }

  /** Ends the term, even if it drains. */
  end(): void {
    const wasActive = this.#until !== undefined;
    this.#until = undefined;
    this.#cancelExpiry?.();
    this.#ending.abort();
    if (wasActive) this.on.change(false);
  }
}
