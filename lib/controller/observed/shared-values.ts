/**
 * Keeps one instance of equal values, so that many pods of one workload share what they have in common.
 *
 * Keeps a limited number; then it starts over, and only new values are held twice.
 */
export class SharedValues<T> {
  readonly #most: number;
  readonly #known = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made where it is not known yet. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#most) this.#known.clear();
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}
