/** Milliseconds for which a change is recent: longer than a cluster has no leader after a failover. */
const recentWindow = 60_000;

/** Keys of recently changed objects, recorded while not leading: a new leader reconciles them first. */
export class RecentKeys {
  /** Ordered by last change, the oldest first. */
  readonly #changed = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** Records a change, and drops those that are no longer recent. */
  add(key: string): void {
    this.#changed.delete(key);
    this.#changed.set(key, this.now());
    this.#prune();
  }

  /** Returns the keys of recent changes and clears them. */
  take(): readonly string[] {
    this.#prune();
    const keys = [...this.#changed.keys()];
    this.#changed.clear();
    return keys;
  }

  #prune(): void {
    const oldest = this.now() - recentWindow;
    for (const [key, at] of this.#changed) {
      if (at >= oldest) return;
      this.#changed.delete(key);
    }
  }
}
