/** Index of the keys of a store by the values of an index function. */
export class StoreIndex<T> {
  /** A string instead of a Set for the common case of one key, to save memory. */
  private readonly keys = new Map<string, string | Set<string>>();

  constructor(private readonly valuesOf: (value: T) => readonly string[]) {}

  /** Returns the distinct index values of an object. */
  values(value: T): ReadonlySet<string> {
    return new Set(this.valuesOf(value));
  }

  add(values: Iterable<string>, key: string): void {
    for (const value of values) {
      const present = this.keys.get(value);
      if (present === undefined) this.keys.set(value, key);
      else if (typeof present !== 'string') present.add(key);
      else if (present !== key) this.keys.set(value, new Set([present, key]));
    }
  }

  remove(values: Iterable<string>, key: string): void {
    for (const value of values) {
      const present = this.keys.get(value);
      if (present === key) this.keys.delete(value);
      else if (present instanceof Set && present.delete(key) && present.size === 0) this.keys.delete(value);
    }
  }

  /** Returns the keys of an index value, in no particular order. */
  get(value: string): Iterable<string> {
    const present = this.keys.get(value);
    return typeof present === 'string' ? [present] : (present ?? []);
  }

  /** Number of index values. */
  get size(): number {
    return this.keys.size;
  }
}
