/**
 * Interns equal values, so that the pods of a workload share them.
 *
 * Holds a limited number of values, then starts over; existing duplicates stay.
 */
export class SharedValues<T> {
  readonly #maxSize: number;
  readonly #values = new Map<string, T>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Returns the value of a key; creates it if it is missing. */
  get(key: string, create: () => T): T {
    const existing = this.#values.get(key);
    if (existing !== undefined) return existing;
    if (this.#values.size >= this.#maxSize) this.#values.clear();
    const created = create();
    this.#values.set(key, created);
    return created;
  }
}
