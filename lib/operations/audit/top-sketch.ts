/** Entry of a sketch, with its counts since it was added. */
export interface SketchEntry<T> {
  readonly key: string;
  /** Upper bound of occurrences. */
  count: number;
  /** Maximum error of `count`: the count of the replaced entry. */
  readonly error: number;
  readonly more: T;
}

/**
 * Top-k sketch with bounded memory: "space saving" (Metwally, Agrawal, El Abbadi, 2005). A key with more than
 * `total / capacity` occurrences is certainly included, and counts are too high by at most `total / capacity`.
 */
export class TopSketch<T> {
  private readonly byKey = new Map<string, number>();
  /** Min-heap by count. */
  private readonly heap: SketchEntry<T>[] = [];
  private all = 0;

  constructor(
    readonly capacity: number,
    private readonly fresh: () => T,
  ) {}

  /** Total occurrences. */
  get total(): number {
    return this.all;
  }

  /** Maximum error of a count. */
  get bound(): number {
    return this.heap.length < this.capacity ? 0 : (this.heap[0]?.count ?? 0);
  }

  /** Counts an occurrence of a key; returns its entry. */
  add(key: string): SketchEntry<T> {
    this.all += 1;
    const at = this.byKey.get(key);
    if (at !== undefined) return this.increment(at);
    if (this.heap.length < this.capacity) return this.insert(key);
    const least = this.heap[0] as SketchEntry<T>;
    this.byKey.delete(least.key);
    const entry: SketchEntry<T> = { key, count: least.count + 1, error: least.count, more: this.fresh() };
    this.heap[0] = entry;
    this.byKey.set(key, 0);
    this.sink(0);
    return entry;
  }

  /** Returns the most frequent entries, in order. */
  top(limit: number): readonly SketchEntry<T>[] {
    return [...this.heap].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit);
  }

  private increment(at: number): SketchEntry<T> {
    const entry = this.heap[at] as SketchEntry<T>;
    entry.count += 1;
    this.sink(at);
    return entry;
  }

  private insert(key: string): SketchEntry<T> {
    const entry: SketchEntry<T> = { key, count: 1, error: 0, more: this.fresh() };
    this.heap.push(entry);
    this.byKey.set(key, this.heap.length - 1);
    this.rise(this.heap.length - 1);
    return entry;
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
    return (this.heap[at] as SketchEntry<T>).count;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one] as SketchEntry<T>, this.heap[other] as SketchEntry<T>];
    this.heap[one] = b;
    this.heap[other] = a;
    this.byKey.set(b.key, one);
    this.byKey.set(a.key, other);
  }
}
