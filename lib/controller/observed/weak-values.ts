/** Keeps one instance of equal values for as long as somebody holds it, and nothing of it afterwards. */
export class WeakValues<T extends object> {
  readonly #known = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // Another of the same key may have been made since.
    if (this.#known.get(key)?.deref() === undefined) this.#known.delete(key);
  });

  /** Values that are held; those that nobody holds any more count until they are collected. */
  get size(): number {
    return this.#known.size;
  }

  /** The value of a key, made where nobody holds it. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(key, new WeakRef(made));
    this.#collected.register(made, key);
    return made;
  }
}
