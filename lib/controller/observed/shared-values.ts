/**
 * Interns equal values, so that the pods of a workload share what they have in common.
 *
 * Holds a limited number of values, then starts over; existing duplicates stay.
 */
export class SharedValues<T> {
  readonly #most: number;
  readonly #known = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value of a key; creates it if it is missing. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#most) this.#known.clear();
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}
