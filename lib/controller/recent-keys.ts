import { type WorkKey } from './work-key';

/** How long a change is recent, in milliseconds: longer than a cluster is without a leader after one died. */
const recent = 60_000;

/** Documents that changed lately, noted by who does not lead: once it does, they go first. */
export class RecentKeys {
  /** The key whose last change is the oldest comes first. */
  readonly #changed = new Map<WorkKey, number>();

  constructor(private readonly now: () => number) {}

  /** Notes a change, and forgets those that are not recent any more. */
  note(key: WorkKey): void {
    this.#changed.delete(key);
    this.#changed.set(key, this.now());
    this.#prune();
  }

  /** The keys of recent changes, after which nothing is kept. */
  take(): readonly WorkKey[] {
    this.#prune();
    const keys = [...this.#changed.keys()];
    this.#changed.clear();
    return keys;
  }

  #prune(): void {
    const oldest = this.now() - recent;
    for (const [key, at] of this.#changed) {
      if (at >= oldest) return;
      this.#changed.delete(key);
    }
  }
}
