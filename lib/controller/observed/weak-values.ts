/** Keeps one instance of equal values for as long as it is referenced. */
export class WeakValues<T extends object> {
  readonly #known = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // Another of the same key may have been made since.
    if (this.#known.get(key)?.deref() === undefined) this.#known.delete(key);
  });

  /** Number of values; unreferenced ones count until they are collected. */
  get size(): number {
    return this.#known.size;
  }

  /** Returns the value of a key, created where there is none. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(key, new WeakRef(made));
    this.#collected.register(made, key);
    return made;
  }
}
