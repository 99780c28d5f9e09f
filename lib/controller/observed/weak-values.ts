/** Interns equal values while they are referenced. */
export class WeakValues<T extends object> {
  readonly #known = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // Another value with the same key may exist by now.
    if (this.#known.get(key)?.deref() === undefined) this.#known.delete(key);
  });

  /** Number of values, including unreferenced ones that are not collected yet. */
  get size(): number {
    return this.#known.size;
  }

  /** Returns the value of a key; creates it if it is missing. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(key, new WeakRef(made));
    this.#collected.register(made, key);
    return made;
  }
}
