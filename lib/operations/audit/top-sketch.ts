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
    private readonly createData: () => T,
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
    const index = this.byKey.get(key);
    if (index !== undefined) return this.increment(index);
    if (this.heap.length < this.capacity) return this.insert(key);
    const smallest = this.heap[0] as SketchEntry<T>;
    this.byKey.delete(smallest.key);
    const entry: SketchEntry<T> = { key, count: smallest.count + 1, error: smallest.count, more: this.createData() };
    this.heap[0] = entry;
    this.byKey.set(key, 0);
    this.siftDown(0);
    return entry;
  }

  /** Returns the most frequent entries, in order. */
  top(limit: number): readonly SketchEntry<T>[] {
    return [...this.heap].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit);
  }

  private increment(index: number): SketchEntry<T> {
    const entry = this.heap[index] as SketchEntry<T>;
    entry.count += 1;
    this.siftDown(index);
    return entry;
  }

  private insert(key: string): SketchEntry<T> {
    const entry: SketchEntry<T> = { key, count: 1, error: 0, more: this.createData() };
    this.heap.push(entry);
    this.byKey.set(key, this.heap.length - 1);
    this.siftUp(this.heap.length - 1);
    return entry;
  }

  private siftDown(from: number): void {
    const { heap } = this;
    for (let index = from; ;) {
      let smallest = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && this.countAt(child) < this.countAt(smallest)) smallest = child;
      if (smallest === index) return;
      this.swap(index, smallest);
      index = smallest;
    }
  }

  private siftUp(from: number): void {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (this.countAt(parent) <= this.countAt(index)) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private countAt(index: number): number {
    return (this.heap[index] as SketchEntry<T>).count;
  }

  private swap(first: number, second: number): void {
    const [a, b] = [this.heap[first] as SketchEntry<T>, this.heap[second] as SketchEntry<T>];
    this.heap[first] = b;
    this.heap[second] = a;
    this.byKey.set(b.key, first);
    this.byKey.set(a.key, second);
  }
}
