import { type ApiBudget } from './api-budget';

/** Seconds of its average rate that a client may use at once. */
const burstSeconds = 2;

/** A limit that is exceeded, and when it no longer is. */
export interface BudgetExcess {
  readonly limit: keyof ApiBudget;
  /** Milliseconds until another request is in the budget. */
  readonly after: number;
}

/** Use of one budget. What is used beyond it is a debt that must expire first, so that any single response is possible. */
export class BudgetMeter {
  #budget: ApiBudget;
  #requests: number;
  #bytes: number;
  #concurrent = 0;
  #at: number;

  constructor(budget: ApiBudget, now: number) {
    this.#budget = budget;
    this.#requests = budget.requestsPerSecond * burstSeconds;
    this.#bytes = budget.bytesPerSecond * burstSeconds;
    this.#at = now;
  }

  /** Applies another budget from now on. */
  setBudget(budget: ApiBudget, now: number): void {
    if (budget === this.#budget) return;
    this.#refill(now);
    this.#budget = budget;
    this.#refill(now);
  }

  /** Returns which limit one more request would exceed; undefined for none. */
  excessAt(now: number): BudgetExcess | undefined {
    this.#refill(now);
    const { requestsPerSecond, concurrentRequests, bytesPerSecond } = this.#budget;
    if (this.#concurrent >= concurrentRequests) return { limit: 'concurrentRequests', after: 1_000 };
    if (this.#bytes <= 0) return { limit: 'bytesPerSecond', after: (-this.#bytes / bytesPerSecond) * 1_000 };
    if (this.#requests < 1)
      return { limit: 'requestsPerSecond', after: ((1 - this.#requests) / requestsPerSecond) * 1_000 };
    return undefined;
  }

  /** Notes that a request begins. */
  begin(): void {
    this.#requests -= 1;
    this.#concurrent += 1;
  }

  /** Notes bytes of a response; a negative number returns some that were noted too many. */
  charge(bytes: number, now: number): void {
    // First what was saved until now, which is bounded.
    this.#refill(now);
    this.#bytes -= bytes;
  }

  /** Notes that a request has ended. */
  end(): void {
    this.#concurrent -= 1;
  }

  /** Returns whether it is the same as a new one. */
  isUnusedAt(now: number): boolean {
    this.#refill(now);
    const { requestsPerSecond, bytesPerSecond } = this.#budget;
    const isFull = this.#requests >= requestsPerSecond * burstSeconds && this.#bytes >= bytesPerSecond * burstSeconds;
    return isFull && this.#concurrent === 0;
  }

  #refill(now: number): void {
    const seconds = Math.max(0, now - this.#at) / 1_000;
    const { requestsPerSecond, bytesPerSecond } = this.#budget;
    this.#requests = Math.min(requestsPerSecond * burstSeconds, this.#requests + requestsPerSecond * seconds);
    this.#bytes = Math.min(bytesPerSecond * burstSeconds, this.#bytes + bytesPerSecond * seconds);
    this.#at = now;
  }
}
