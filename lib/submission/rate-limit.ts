import { type Clock } from '../kube';

/** Rate limit. */
export interface RequestRate {
  /** Sustained requests per second. */
  readonly qps: number;
  /** Burst size. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Token bucket per key. Tracks a bounded number of keys; the least recently used is dropped. */
export class RateLimit {
  /** Least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly rate: RequestRate,
    private readonly maxKeys: number,
    private readonly clock: Clock,
  ) {}

  /** Number of tracked keys. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token; returns the milliseconds until the next one if there is none. */
  take(key: string): number | undefined {
    const bucket = this.#filled(key);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return Math.ceil(((1 - bucket.tokens) * 1000) / this.rate.qps);
  }

  /** Returns a token. */
  refund(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.tokens = Math.min(this.rate.burst, bucket.tokens + 1);
  }

  #filled(key: string): Bucket {
    const now = this.clock.now();
    const { burst, qps } = this.rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    // The clock may jump backwards.
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) * qps) / 1000);
    bucket.filledAt = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.maxKeys) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return bucket;
  }
}
