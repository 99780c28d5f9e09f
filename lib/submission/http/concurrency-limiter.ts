/** Limits concurrency in total and per key. */
export class ConcurrencyLimiter {
  readonly #held = new Map<string, number>();
  #active = 0;

  constructor(
    private readonly max: number,
    private readonly maxPerKey: number,
  ) {}

  /** Number of acquired slots. */
  get active(): number {
    return this.#active;
  }

  /** Acquires a slot and returns its release function; otherwise returns which limit is exceeded. */
  acquire(key: string): (() => void) | 'all' | 'one' {
    if (this.#active >= this.max) return 'all';
    const held = this.#held.get(key) ?? 0;
    if (held >= this.maxPerKey) return 'one';
    this.#active += 1;
    this.#held.set(key, held + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#active -= 1;
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
