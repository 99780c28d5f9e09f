import { createHash } from 'node:crypto';

/** What was found out about secrets, each for its time; the secrets themselves are not kept, only their hashes. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(
    /** Entries that are kept at most; the oldest goes first. */
    private readonly most: number,
  ) {}

  /** What is known of a secret at a time, in milliseconds since 1970. */
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
    if (this.#entries.size > this.most && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');
