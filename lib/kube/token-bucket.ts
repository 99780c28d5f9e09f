import { abortedError, whenAborted } from './abort';
import { type Clock } from './clock';

/** How fast a client may ask. */
export interface Rate {
  /** Requests a second, in the long run. */
  readonly qps: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}

interface Waiter {
  readonly resolve: () => void;
}

/** Holds a client to a rate: whoever comes first is served first. */
export class TokenBucket {
  #tokens: number;
  #filledAt: number;
  /** In order of arrival; a Set, so that one who gives up leaves without a search. */
  readonly #waiters = new Set<Waiter>();
  #takeBack: (() => void) | undefined;

  /** Throws a RangeError for a rate that would let nothing through. */
  constructor(
    private readonly rate: Rate,
    private readonly clock: Clock,
  ) {
    if (!(rate.qps > 0) || !(rate.burst >= 1))
      throw new RangeError('a rate needs a qps above 0 and a burst of 1 or more');
    this.#tokens = rate.burst;
    this.#filledAt = clock.now();
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Takes a token where one is left and nobody waits. */
  tryTake(): boolean {
    this.#fill();
    if (this.#waiters.size > 0 || this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Fulfilled when it is the caller's turn. Rejected with an `ApiError`, reason `Aborted`, where the signal comes first. */
  take(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(abortedError(signal));
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const release = whenAborted(signal, (error) => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#sleepOn();
        reject(error);
      });
      const waiter = {
        resolve: () => {
          release();
          resolve();
        },
      };
      this.#waiters.add(waiter);
      this.#wakeLater();
    });
  }

  #fill(): void {
    const now = this.clock.now();
    // A clock that was set back must not take tokens away.
    const elapsed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.rate.burst, this.#tokens + (elapsed * this.rate.qps) / 1000);
    this.#filledAt = now;
  }

  #wakeLater(): void {
    if (this.#takeBack || this.#waiters.size === 0) return;
    const wait = Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.rate.qps));
    this.#takeBack = this.clock.after(wait, () => {
      this.#takeBack = undefined;
      this.#serve();
    });
  }

  #sleepOn(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
  }

  #serve(): void {
    this.#fill();
    for (const waiter of this.#waiters) {
      if (this.#tokens < 1) break;
      this.#tokens -= 1;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
    this.#wakeLater();
  }
}
