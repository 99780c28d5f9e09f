/** Cache by key with a maximum total weight; the least recently used value is dropped first. */
export class LruCache<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly weight: number }>();
  private weight = 0;

  /** `capacity` is the maximum total weight; a single heavier value is kept until the next one is added. */
  constructor(private readonly capacity: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, weight = 1): void {
    this.drop(key);
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.capacity || oldest === key) break;
      this.drop(oldest);
    }
  }

  /** Drops a value. */
  drop(key: string): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
