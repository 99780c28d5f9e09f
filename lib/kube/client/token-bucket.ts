import { abortedError, onAbort } from '../transport/abort';
import { type Clock } from '../../process';

/** Rate limit. */
export interface Rate {
  /** Sustained requests per second. */
  readonly qps: number;
  /** Maximum burst of requests. */
  readonly burst: number;
}

interface Waiter {
  readonly resolve: () => void;
}

/** Token bucket that serves waiters in order of arrival. */
export class TokenBucket {
  #tokens: number;
  #filledAt: number;
  /** In order of arrival; a Set, so that an aborted waiter is removed without a search. */
  readonly #waiters = new Set<Waiter>();
  #cancelWake: (() => void) | undefined;

  /** Throws a RangeError for a rate that would admit nothing. */
  constructor(
    private readonly rate: Rate,
    private readonly clock: Clock,
  ) {
    if (!(rate.qps > 0) || !(rate.burst >= 1))
      throw new RangeError('a rate limit needs qps above 0 and burst of at least 1');
    this.#tokens = rate.burst;
    this.#filledAt = clock.now();
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Takes a token if one is available and no request waits. */
  tryTake(): boolean {
    this.#fill();
    if (this.#waiters.size > 0 || this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Resolves when a token is available. Rejects with an `ApiError`, reason `Aborted`, if the signal is aborted first. */
  take(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(abortedError(signal));
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, (error) => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#stopTimer();
        reject(error);
      });
      const waiter = {
        resolve: () => {
          release();
          resolve();
        },
      };
      this.#waiters.add(waiter);
      this.#scheduleWake();
    });
  }

  #fill(): void {
    const now = this.clock.now();
    // A clock that is set back must not remove tokens.
    const elapsed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.rate.burst, this.#tokens + (elapsed * this.rate.qps) / 1000);
    this.#filledAt = now;
  }

  #scheduleWake(): void {
    if (this.#cancelWake || this.#waiters.size === 0) return;
    const wait = Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.rate.qps));
    this.#cancelWake = this.clock.after(wait, () => {
      this.#cancelWake = undefined;
      this.#admit();
    });
  }

  #stopTimer(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
  }

  #admit(): void {
    this.#fill();
    for (const waiter of this.#waiters) {
      if (this.#tokens < 1) break;
      this.#tokens -= 1;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
    this.#scheduleWake();
  }
}
