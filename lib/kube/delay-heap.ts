interface Item {
  readonly key: string;
  at: number;
  place: number;
}

/** Keys with a moment each, the soonest on top; a key is in it once. */
export class DelayHeap {
  private readonly heap: Item[] = [];
  private readonly items = new Map<string, Item>();

  get size(): number {
    return this.heap.length;
  }

  /** Puts a key in, or moves it forward; a later moment than the one it has changes nothing. */
  put(key: string, at: number): void {
    const present = this.items.get(key);
    if (present) {
      if (at >= present.at) return;
      present.at = at;
      this.rise(present);
      return;
    }
    const item = { key, at, place: this.heap.length };
    this.items.set(key, item);
    this.heap.push(item);
    this.rise(item);
  }

  /** The soonest moment. */
  next(): number | undefined {
    return this.heap[0]?.at;
  }

  /** Takes out the soonest key if its moment has come. */
  take(now: number): string | undefined {
    const top = this.heap[0];
    if (!top || top.at > now) return undefined;
    const last = this.heap.pop();
    if (last && last !== top) {
      this.set(last, 0);
      this.sink(last);
    }
    this.items.delete(top.key);
    return top.key;
  }

  clear(): void {
    this.heap.length = 0;
    this.items.clear();
  }

  private set(item: Item, place: number): void {
    this.heap[place] = item;
    item.place = place;
  }

  private rise(item: Item): void {
    while (item.place > 0) {
      const above = (item.place - 1) >> 1;
      const parent = this.heap[above];
      if (!parent || parent.at <= item.at) return;
      const place = item.place;
      this.set(item, above);
      this.set(parent, place);
    }
  }

  private sink(item: Item): void {
    for (;;) {
      const below = 2 * item.place + 1;
      const left = this.heap[below];
      const right = this.heap[below + 1];
      const child = right && left && right.at < left.at ? right : left;
      if (!child || child.at >= item.at) return;
      const { place } = child;
      this.set(child, item.place);
      this.set(item, place);
    }
  }
}
