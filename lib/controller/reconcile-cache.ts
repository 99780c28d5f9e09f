import { contentDigest } from '../expand';
import { type LiveObject, resourceOf } from '../client';
import { AppliedCache } from './plan/applied-cache';
import { workKey, type WorkKey } from './work-key';

/** Object with a version, such as every object of the API server. */
interface Versioned {
  readonly resourceVersion: string;
}

/**
 * Immediate drift corrections per object, and milliseconds until each further one: two writers that disagree would
 * never stop.
 */
const driftCorrection = { burst: 20, refill: 5_000 };

/**
 * State that the controller keeps between reconciles: a few numbers per resource, dropped when it is deleted.
 *
 * It is safe to lose: a reconcile then repeats work that it would have skipped, with the same result.
 */
export class ReconcileCache {
  readonly #settled = new Map<WorkKey, string>();
  /** Times at which resources without a status were first seen. */
  readonly #firstSeen = new Map<WorkKey, number>();
  readonly #statusWrites = new Map<WorkKey, number>();
  readonly #appliedCache = new Map<WorkKey, AppliedCache>();
  readonly #waiting = new Map<string, Set<WorkKey>>();
  readonly #blockersByKey = new Map<WorkKey, readonly string[]>();
  readonly #contexts = new WeakMap<object, number>();
  readonly #driftCorrections = new Map<WorkKey, { readonly tokens: number; readonly at: number }>();
  readonly #unsettled = new Map<WorkKey, number>();
  #lastContext = 0;
  #lastUnsettled = 0;

  /**
   * Returns a string that changes whenever an input of a reconcile does: the version of any object, the context, or
   * `unsettle`.
   *
   * The highest version alone would not suffice: events of one kind may arrive after later events of another.
   */
  fingerprint(live: LiveObject, context: object, observed: readonly Versioned[]): string {
    const versions = observed.map(({ resourceVersion }) => resourceVersion).join();
    const unsettled = this.#unsettled.get(workKey(live.kind, live.metadata.namespace, live.metadata.name)) ?? 0;
    return `${this.#contextNumber(context)}/${unsettled}/${live.metadata.resourceVersion}/${contentDigest(versions)}`;
  }

  /** Returns whether the last reconcile of these inputs found nothing to do. */
  isSettled(key: WorkKey, fingerprint: string): boolean {
    return this.#settled.get(key) === fingerprint;
  }

  /** Records that a reconcile found nothing to do. */
  settle(key: WorkKey, fingerprint: string): void {
    this.#settled.set(key, fingerprint);
  }

  /**
   * Makes the next reconcile check everything, even if one in progress settles: an input outside the fingerprint
   * changed.
   */
  unsettle(key: WorkKey): void {
    this.#unsettled.set(key, ++this.#lastUnsettled);
  }

  /** Records the objects whose names block a resource; replaces those recorded before. */
  blockOn(key: WorkKey, namespace: string, objects: readonly { readonly kind: string; readonly name: string }[]): void {
    for (const blocker of this.#blockersByKey.get(key) ?? []) {
      const waiting = this.#waiting.get(blocker);
      waiting?.delete(key);
      if (waiting?.size === 0) this.#waiting.delete(blocker);
    }
    const blockers = objects.map(({ kind, name }) => workKey(kind, resourceOf(kind).namespaced ? namespace : '', name));
    if (blockers.length === 0) this.#blockersByKey.delete(key);
    else this.#blockersByKey.set(key, blockers);
    for (const blocker of blockers) {
      const waiting = this.#waiting.get(blocker) ?? new Set();
      this.#waiting.set(blocker, waiting.add(key));
    }
  }

  /** Returns the resources that an object blocks. */
  waitingFor(kind: string, namespace: string, name: string): readonly WorkKey[] {
    return [...(this.#waiting.get(workKey(kind, namespace, name)) ?? [])];
  }

  /** Returns the results of earlier reconciles for a resource's children. */
  appliedCacheOf(key: WorkKey): AppliedCache {
    let appliedCache = this.#appliedCache.get(key);
    if (!appliedCache) this.#appliedCache.set(key, (appliedCache = new AppliedCache()));
    return appliedCache;
  }

  /** Makes reconciles check everything again, and retry permanently rejected requests. */
  reset(): void {
    this.#settled.clear();
    for (const appliedCache of this.#appliedCache.values()) appliedCache.clearRejections();
  }

  /** Returns the milliseconds since a resource was first seen under this key. */
  age(key: WorkKey, now: number): number {
    const first = this.#firstSeen.get(key);
    if (first === undefined) this.#firstSeen.set(key, now);
    return now - (first ?? now);
  }

  /** Returns the milliseconds since the last write of a status; undefined if there was none. */
  timeSinceStatusWrite(key: WorkKey, now: number): number | undefined {
    const last = this.#statusWrites.get(key);
    return last === undefined ? undefined : now - last;
  }

  /** Records a write of a status. */
  recordStatusWrite(key: WorkKey, now: number): void {
    this.#firstSeen.delete(key);
    this.#statusWrites.set(key, now);
  }

  /**
   * Returns the milliseconds until drift of a resource may be corrected again; 0 allows a correction now and counts it.
   */
  driftCorrectionDelay(key: WorkKey, now: number): number {
    const { tokens, at } = this.#driftCorrections.get(key) ?? { tokens: driftCorrection.burst, at: now };
    const refilled = Math.min(driftCorrection.burst, tokens + Math.max(0, now - at) / driftCorrection.refill);
    if (refilled < 1) return Math.ceil((1 - refilled) * driftCorrection.refill);
    this.#driftCorrections.set(key, { tokens: refilled - 1, at: now });
    return 0;
  }

  /** Drops the state of a deleted resource. */
  forget(key: WorkKey): void {
    this.#settled.delete(key);
    this.#unsettled.delete(key);
    this.#driftCorrections.delete(key);
    this.#statusWrites.delete(key);
    this.#firstSeen.delete(key);
    this.#appliedCache.delete(key);
    this.blockOn(key, '', []);
  }

  /** Number of resources with state. */
  get size(): number {
    return Math.max(this.#settled.size, this.#statusWrites.size);
  }

  #contextNumber(context: object): number {
    let number = this.#contexts.get(context);
    if (number === undefined) this.#contexts.set(context, (number = ++this.#lastContext));
    return number;
  }
}
