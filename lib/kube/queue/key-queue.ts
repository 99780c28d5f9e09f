/** FIFO queue of distinct keys. */
export class KeyQueue {
  private readonly keys = new Set<string>();
  /** Kept between calls: a new iterator would walk over all keys that were deleted since the Set last shrank. */
  private head: IterableIterator<string> | undefined;

  get size(): number {
    return this.keys.size;
  }

  push(key: string): void {
    this.keys.add(key);
  }

  delete(key: string): boolean {
    return this.keys.delete(key);
  }

  shift(): string | undefined {
    this.head ??= this.keys.values();
    const next = this.head.next();
    if (next.done) {
      this.head = undefined; // an exhausted iterator does not see later keys
      return undefined;
    }
    this.keys.delete(next.value);
    return next.value;
  }

  clear(): void {
    this.keys.clear();
    this.head = undefined;
  }
}
