interface Item {
  readonly key: string;
  at: number;
  index: number;
}

/** Min-heap of keys by due time; each key is in it once. */
export class DelayHeap {
  private readonly heap: Item[] = [];
  private readonly items = new Map<string, Item>();

  get size(): number {
    return this.heap.length;
  }

  /** Adds a key, or moves it forward; a time later than its current one changes nothing. */
  put(key: string, at: number): void {
    const present = this.items.get(key);
    if (present) {
      if (at >= present.at) return;
      present.at = at;
      this.siftUp(present);
      return;
    }
    const item = { key, at, index: this.heap.length };
    this.items.set(key, item);
    this.heap.push(item);
    this.siftUp(item);
  }

  /** Returns the earliest due time. */
  next(): number | undefined {
    return this.heap[0]?.at;
  }

  /** Removes and returns the earliest key if it is due. */
  take(now: number): string | undefined {
    const top = this.heap[0];
    if (!top || top.at > now) return undefined;
    const last = this.heap.pop();
    if (last && last !== top) {
      this.set(last, 0);
      this.siftDown(last);
    }
    this.items.delete(top.key);
    return top.key;
  }

  clear(): void {
    this.heap.length = 0;
    this.items.clear();
  }

  private set(item: Item, index: number): void {
    this.heap[index] = item;
    item.index = index;
  }

  private siftUp(item: Item): void {
    while (item.index > 0) {
      const above = (item.index - 1) >> 1;
      const parent = this.heap[above];
      if (!parent || parent.at <= item.at) return;
      const index = item.index;
      this.set(item, above);
      this.set(parent, index);
    }
  }

  private siftDown(item: Item): void {
    for (;;) {
      const below = 2 * item.index + 1;
      const left = this.heap[below];
      const right = this.heap[below + 1];
      const child = right && left && right.at < left.at ? right : left;
      if (!child || child.at >= item.at) return;
      const { index } = child;
      this.set(child, item.index);
      this.set(item, index);
    }
  }
}
