import { type Clock, collectionPath } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';
import { whenReached } from './when-reached';

/** What the API server says that proofs are built on. */
export interface FreshnessSource {
  /** Returns the current version of a resource, by a consistent read. */
  currentVersion(path: string): Promise<number>;
  /**
   * Watches from a version until a bookmark that is not older than another one; returns the version of the last event
   * before it, or undefined if there was none.
   */
  lastChangeBefore(path: string, from: number, until: number): Promise<number | undefined>;
}

/** Options of a proof. */
export interface FreshnessProofOptions {
  readonly cache: ObjectCache;
  readonly source: FreshnessSource;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Proves how old a cache is at most. An event says how old the cache is only if one knows when it happened, and a stalled
 * connection delivers old ones. So a proof asks for the current version, and notes when: as soon as the cache contains all
 * changes up to that version, it is at least as recent as the question.
 */
export class FreshnessProof {
  #provenAt = Number.NEGATIVE_INFINITY;
  /** Version that the cache had to reach for the last proof; a cache that was filled with less is not proved. */
  #provenVersion = 0;
  #running: Promise<void> | undefined;

  constructor(private readonly options: FreshnessProofOptions) {}

  /** Returns the milliseconds that the cache is old at most; infinite if nothing is proved. */
  ageAt(now: number): number {
    const { version } = this.options.cache;
    return version === undefined || version < this.#provenVersion ? Number.POSITIVE_INFINITY : now - this.#provenAt;
  }

  /** Starts a proof, unless one is in progress; resolves when it is over, whatever its result. */
  renew(): Promise<void> {
    this.#running ??= this.#prove()
      .catch(this.options.onError)
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #prove(): Promise<void> {
    const { cache, source, clock } = this.options;
    const path = collectionPath(cache.resource);
    const askedAt = clock.now();
    const current = await source.currentVersion(path);
    const from = cache.version;
    if (from === undefined) return;
    if (from >= current) this.#note(askedAt, current);
    else {
      // Versions count changes of all resources: the cache may have all of its own without having reached this one.
      const needed = (await source.lastChangeBefore(path, from, current)) ?? from;
      const isReached = await whenReached(cache, () => (cache.version ?? 0) >= needed, clock);
      if (isReached) this.#note(askedAt, needed);
    }
  }

  #note(at: number, version: number): void {
    this.#provenAt = at;
    this.#provenVersion = version;
  }
}
