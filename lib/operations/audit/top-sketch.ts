/** A key of a sketch, with what was counted since it is kept. */
export interface Kept<T> {
  readonly key: string;
  /** How often it came, at most. */
  count: number;
  /** By how much `count` may be too large: what stood here before. */
  readonly error: number;
  readonly more: T;
}

/**
 * The keys that come most often, in bounded memory: "space saving" (Metwally, Agrawal, El Abbadi, 2005). A key that comes
 * oftener than `total / capacity` is kept for certain, and a count is too large by `total / capacity` at most.
 */
export class TopSketch<T> {
  private readonly byKey = new Map<string, number>();
  /** A heap: nothing is smaller than the one at half its place. */
  private readonly heap: Kept<T>[] = [];
  private all = 0;

  constructor(
    readonly capacity: number,
    private readonly fresh: () => T,
  ) {}

  /** How often any key came. */
  get total(): number {
    return this.all;
  }

  /** By how much a count may be too large at most. */
  get bound(): number {
    return this.heap.length < this.capacity ? 0 : (this.heap[0]?.count ?? 0);
  }

  /** Counts a key once; gives back its entry. */
  add(key: string): Kept<T> {
    this.all += 1;
    const at = this.byKey.get(key);
    if (at !== undefined) return this.counted(at);
    if (this.heap.length < this.capacity) return this.begun(key);
    const least = this.heap[0] as Kept<T>;
    this.byKey.delete(least.key);
    const kept: Kept<T> = { key, count: least.count + 1, error: least.count, more: this.fresh() };
    this.heap[0] = kept;
    this.byKey.set(key, 0);
    this.sink(0);
    return kept;
  }

  /** Entries, those that came most first. */
  top(most: number): readonly Kept<T>[] {
    return [...this.heap].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, most);
  }

  private counted(at: number): Kept<T> {
    const kept = this.heap[at] as Kept<T>;
    kept.count += 1;
    this.sink(at);
    return kept;
  }

  private begun(key: string): Kept<T> {
    const kept: Kept<T> = { key, count: 1, error: 0, more: this.fresh() };
    this.heap.push(kept);
    this.byKey.set(key, this.heap.length - 1);
    this.rise(this.heap.length - 1);
    return kept;
  }

  private sink(from: number): void {
    const { heap } = this;
    for (let at = from; ;) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < heap.length && this.countAt(below) < this.countAt(least)) least = below;
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (this.countAt(above) <= this.countAt(at)) return;
      this.swap(at, above);
      at = above;
    }
  }

  private countAt(at: number): number {
    return (this.heap[at] as Kept<T>).count;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one] as Kept<T>, this.heap[other] as Kept<T>];
    this.heap[one] = b;
    this.heap[other] = a;
    this.byKey.set(b.key, one);
    this.byKey.set(a.key, other);
  }
}
