import { type LiveObject, resourceOf } from '../kube';
import { contentDigest } from './observed/content-digest';
import { AppliedCache } from './plan/applied-cache';
import { workKey, type WorkKey } from './work-key';

/** Something with a version, as every object of the API server has. */
interface Versioned {
  readonly resourceVersion: string;
}

/** Times that a document's objects are put right at once, and milliseconds to each further time: two who disagree would go on for ever. */
const healing = { burst: 20, refill: 5_000 };

/**
 * What the controller remembers of its own passes, a few numbers for each document and nothing once that is gone.
 *
 * All of it can be lost: a pass then does what it would have left out, and comes to the same.
 */
export class ReconcileCache {
  readonly #settled = new Map<WorkKey, string>();
  /** When documents without a status were seen first. */
  readonly #firsts = new Map<WorkKey, number>();
  readonly #statusWrites = new Map<WorkKey, number>();
  readonly #appliedCache = new Map<WorkKey, AppliedCache>();
  readonly #waiting = new Map<string, Set<WorkKey>>();
  readonly #places = new Map<WorkKey, readonly string[]>();
  readonly #worlds = new WeakMap<object, number>();
  readonly #healings = new Map<WorkKey, { readonly left: number; readonly at: number }>();
  readonly #stirred = new Map<WorkKey, number>();
  #lastWorld = 0;
  #lastStir = 0;

  /**
   * A text that differs whenever one of the inputs of a pass does: the version of any object, the world, or what unsettled it.
   *
   * The highest version alone would not do: what is watched of one kind may arrive after later news of another.
   */
  fingerprint(live: LiveObject, world: object, observed: readonly Versioned[]): string {
    const versions = observed.map(({ resourceVersion }) => resourceVersion).join();
    const stirred = this.#stirred.get(workKey(live.kind, live.metadata.namespace, live.metadata.name)) ?? 0;
    return `${this.#worldNumber(world)}/${stirred}/${live.metadata.resourceVersion}/${contentDigest(versions)}`;
  }

  /** Whether the last pass over these very inputs found nothing to do. */
  isSettled(key: WorkKey, fingerprint: string): boolean {
    return this.#settled.get(key) === fingerprint;
  }

  /** Notes that a pass found nothing to do. */
  settle(key: WorkKey, fingerprint: string): void {
    this.#settled.set(key, fingerprint);
  }

  /** Makes the next pass look again, whatever one that is under way finds: something changed that is not in its fingerprint. */
  unsettle(key: WorkKey): void {
    this.#stirred.set(key, ++this.#lastStir);
  }

  /** Notes the objects whose names stand in the way of a document, instead of those noted before. */
  blockOn(key: WorkKey, namespace: string, objects: readonly { readonly kind: string; readonly name: string }[]): void {
    for (const place of this.#places.get(key) ?? []) {
      const waiting = this.#waiting.get(place);
      waiting?.delete(key);
      if (waiting?.size === 0) this.#waiting.delete(place);
    }
    const places = objects.map(({ kind, name }) => workKey(kind, resourceOf(kind).namespaced ? namespace : '', name));
    if (places.length === 0) this.#places.delete(key);
    else this.#places.set(key, places);
    for (const place of places) {
      const waiting = this.#waiting.get(place) ?? new Set();
      this.#waiting.set(place, waiting.add(key));
    }
  }

  /** Documents in whose way an object stands. */
  waitingFor(kind: string, namespace: string, name: string): readonly WorkKey[] {
    return [...(this.#waiting.get(workKey(kind, namespace, name)) ?? [])];
  }

  /** What earlier passes over a document found out about its children. */
  appliedCacheOf(key: WorkKey): AppliedCache {
    let appliedCache = this.#appliedCache.get(key);
    if (!appliedCache) this.#appliedCache.set(key, (appliedCache = new AppliedCache()));
    return appliedCache;
  }

  /** Has everything looked at again, and tried again that was refused for good. */
  reset(): void {
    this.#settled.clear();
    for (const appliedCache of this.#appliedCache.values()) appliedCache.retry();
  }

  /** Milliseconds since a document was asked about by this name for the first time. */
  age(key: WorkKey, now: number): number {
    const first = this.#firsts.get(key);
    if (first === undefined) this.#firsts.set(key, now);
    return now - (first ?? now);
  }

  /** Milliseconds since the last write of a status; undefined where none was. */
  sinceStatus(key: WorkKey, now: number): number | undefined {
    const last = this.#statusWrites.get(key);
    return last === undefined ? undefined : now - last;
  }

  /** Notes a write of a status. */
  wroteStatus(key: WorkKey, now: number): void {
    this.#firsts.delete(key);
    this.#statusWrites.set(key, now);
  }

  /** Milliseconds until objects of a document may be put right again that others changed; 0 where they may now, which is counted. */
  driftCorrectionDelay(key: WorkKey, now: number): number {
    const { left, at } = this.#healings.get(key) ?? { left: healing.burst, at: now };
    const filled = Math.min(healing.burst, left + Math.max(0, now - at) / healing.refill);
    if (filled < 1) return Math.ceil((1 - filled) * healing.refill);
    this.#healings.set(key, { left: filled - 1, at: now });
    return 0;
  }

  /** Forgets a document that is gone. */
  forget(key: WorkKey): void {
    this.#settled.delete(key);
    this.#stirred.delete(key);
    this.#healings.delete(key);
    this.#statusWrites.delete(key);
    this.#firsts.delete(key);
    this.#appliedCache.delete(key);
    this.blockOn(key, '', []);
  }

  /** Documents of which something is remembered. */
  get size(): number {
    return Math.max(this.#settled.size, this.#statusWrites.size);
  }

  #worldNumber(world: object): number {
    let number = this.#worlds.get(world);
    if (number === undefined) this.#worlds.set(world, (number = ++this.#lastWorld));
    return number;
  }
}
