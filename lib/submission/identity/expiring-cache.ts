import { createHash } from 'node:crypto';

/** Expiring results by secret; stores only hashes of the secrets. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(
    /** Maximum number of entries; the oldest is dropped first. */
    private readonly maxEntries: number,
  ) {}

  /** Returns the result for a secret; `now` is in milliseconds since the Unix epoch. */
  get(secret: string, now: number): T | undefined {
    const key = hashOf(secret);
    const entry = this.#entries.get(key);
    if (!entry || now < entry.until) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(secret: string, value: T, until: number): void {
    const key = hashOf(secret);
    this.#entries.delete(key);
    this.#entries.set(key, { value, until });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');
