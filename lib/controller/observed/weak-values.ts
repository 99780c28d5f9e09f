/** Interns equal values while they are referenced. */
export class WeakValues<T extends object> {
  readonly #values = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // Another value with the same key may exist by now.
    if (this.#values.get(key)?.deref() === undefined) this.#values.delete(key);
  });

  /** Number of values, including unreferenced ones that are not collected yet. */
  get size(): number {
    return this.#values.size;
  }

  /** Returns the value of a key; creates it if it is missing. */
  get(key: string, create: () => T): T {
    const existing = this.#values.get(key)?.deref();
    if (existing !== undefined) return existing;
    const created = create();
    this.#values.set(key, new WeakRef(created));
    this.#collected.register(created, key);
    return created;
  }
}
