import { type Clock } from '../../kube';

/** How fast somebody may ask. */
export interface Rate {
  /** Requests a second, in the long run. */
  readonly qps: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Holds each of many to the same rate, and remembers a bounded number of them: whoever came last longest ago is forgotten. */
export class RateLimit {
  /** In the order in which they came last. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly rate: Rate,
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  /** How many are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token; where none is left, the milliseconds until there is one. */
  take(key: string): number | undefined {
    const bucket = this.#filled(key);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return Math.ceil(((1 - bucket.tokens) * 1000) / this.rate.qps);
  }

  /** Gives a token back that should not have counted. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.tokens = Math.min(this.rate.burst, bucket.tokens + 1);
  }

  #filled(key: string): Bucket {
    const now = this.clock.now();
    const { burst, qps } = this.rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    // A clock that was set back must not take tokens away.
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) * qps) / 1000);
    bucket.filledAt = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.most) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return bucket;
  }
}
