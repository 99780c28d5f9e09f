/** Keys of a store by what an index function says of their values. */
export class StoreIndex<T> {
  /** Most values have one key, and a Set for each would weigh more than what it holds. */
  private readonly keys = new Map<string, string | Set<string>>();

  constructor(private readonly valuesOf: (value: T) => readonly string[]) {}

  /** What the index function says, once each. */
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

  /** Keys for a value, in no particular order. */
  get(value: string): Iterable<string> {
    const present = this.keys.get(value);
    return typeof present === 'string' ? [present] : (present ?? []);
  }

  /** How many values have a key. */
  get size(): number {
    return this.keys.size;
  }
}
