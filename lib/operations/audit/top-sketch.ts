/** Entry of a sketch, with its counts since it was added. */
export interface SketchEntry<T> {
  readonly key: string;
  /** Upper bound of occurrences. */
  count: number;
  /** Maximum error of `count`: the count of the replaced entry. */
  readonly error: number;
  readonly more: T;
}

/** Entry with its place in the heap, so that a swap does not look up keys. */
interface HeapEntry<T> extends SketchEntry<T> {
  index: number;
}

/**
 * Top-k sketch with bounded memory: "space saving" (Metwally, Agrawal, El Abbadi, 2005). A key with more than
 * `total / capacity` occurrences is certainly included, and counts are too high by at most `total / capacity`.
 */
export class TopSketch<T> {
  private readonly byKey = new Map<string, HeapEntry<T>>();
  /** Min-heap by count. */
  private readonly heap: HeapEntry<T>[] = [];
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

  /** Counts an occurrence of a key, or several at once; returns its entry. */
  add(key: string, amount = 1): SketchEntry<T> {
    this.all += amount;
    const known = this.byKey.get(key);
    if (known) {
      known.count += amount;
      this.siftDown(known);
      return known;
    }
    if (this.heap.length < this.capacity) {
      const index = this.heap.length;
      const entry: HeapEntry<T> = { key, count: amount, error: 0, more: this.createData(), index };
      this.heap.push(entry);
      this.byKey.set(key, entry);
      this.siftUp(entry);
      return entry;
    }
    const { key: smallest, count: error } = this.heap[0] as HeapEntry<T>;
    this.byKey.delete(smallest);
    const entry: HeapEntry<T> = { key, count: error + amount, error, more: this.createData(), index: 0 };
    this.heap[0] = entry;
    this.byKey.set(key, entry);
    this.siftDown(entry);
    return entry;
  }

  /** Returns the entry of a key without counting it; undefined if it is not kept. */
  find(key: string): SketchEntry<T> | undefined {
    return this.byKey.get(key);
  }

  /** Returns the most frequent entries, in order. */
  top(limit: number): readonly SketchEntry<T>[] {
    return [...this.heap].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit);
  }

  private siftDown(entry: HeapEntry<T>): void {
    const { heap } = this;
    for (;;) {
      const left = heap[2 * entry.index + 1];
      const right = heap[2 * entry.index + 2];
      const child = right && left && right.count < left.count ? right : left;
      if (!child || child.count >= entry.count) return;
      this.swap(entry, child);
    }
  }

  private siftUp(entry: HeapEntry<T>): void {
    while (entry.index > 0) {
      const parent = this.heap[(entry.index - 1) >> 1] as HeapEntry<T>;
      if (parent.count <= entry.count) return;
      this.swap(entry, parent);
    }
  }

  private swap(first: HeapEntry<T>, second: HeapEntry<T>): void {
    [first.index, second.index] = [second.index, first.index];
    this.heap[first.index] = first;
    this.heap[second.index] = second;
  }
}
