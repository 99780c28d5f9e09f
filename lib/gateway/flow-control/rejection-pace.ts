/** Rejections of an account per second, and as many that are answered at once. */
const rate = 20;
/** Milliseconds for which an answer is delayed at most. */
const maxDelay = 5_000;
const interval = 1_000 / rate;
const burst = rate * interval;

/**
 * Paces the answers to rejected requests: a client that ignores Retry-After, and asks again as soon as it is rejected, would
 * take the time of the gateway from all others with nothing but rejections. While one waits, its connection is silent.
 */
export class RejectionPace {
  /** When the next rejection of an account is due, if its rejections come at the rate. */
  readonly #due = new Map<string, number>();

  /** Number of accounts with recent rejections. */
  get size(): number {
    return this.#due.size;
  }

  /** Counts a rejection of an account; returns the milliseconds after which it is answered, five seconds at most. */
  delayAt(now: number, account: string): number {
    const due = Math.min(Math.max(now, this.#due.get(account) ?? 0) + interval, now + burst + maxDelay);
    this.#due.set(account, due);
    return Math.max(0, due - now - burst);
  }

  /** Forgets accounts without recent rejections. */
  sweep(now: number): void {
    for (const [account, due] of this.#due) if (due <= now) this.#due.delete(account);
  }
}
