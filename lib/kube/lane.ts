/** Keys in the order in which they came; each once. */
export class Lane {
  private readonly keys = new Set<string>();
  /** Kept from one call to the next: a new iterator would walk over all that was taken out since the Set last shrank. */
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
    const { done, value } = this.head.next();
    if (done) {
      this.head = undefined; // an iterator that came to the end stays there
      return undefined;
    }
    this.keys.delete(value);
    return value;
  }

  clear(): void {
    this.keys.clear();
    this.head = undefined;
  }
}
