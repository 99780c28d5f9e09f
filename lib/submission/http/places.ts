/** A bounded number of places, of which each caller may hold a bounded number. */
export class Places {
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  /** Places that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes a place, and returns what frees it; where there is none, whose bound is reached. */
  take(key: string): (() => void) | 'all' | 'one' {
    if (this.#taken >= this.most) return 'all';
    const held = this.#held.get(key) ?? 0;
    if (held >= this.mostOfOne) return 'one';
    this.#taken += 1;
    this.#held.set(key, held + 1);
    let free = false;
    return () => {
      if (free) return;
      free = true;
      this.#taken -= 1;
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
