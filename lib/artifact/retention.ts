import { type ArtifactStore, type PublishedVersion } from './artifact-store';

/** Retention of published artifacts; deployed ones are always kept. */
export interface Retention {
  /** Number of newest versions to keep for each workflow. */
  readonly versions: number;
  /** Minimum age in milliseconds before a version is removed. */
  readonly age: number;
}

/** Milliseconds after which objects without a version are considered abandoned; publishing takes seconds. */
export const grace = 24 * 3_600_000;

/** State of a store, as input of the retention. */
interface StoreState {
  /** Newest first. */
  readonly versions: readonly PublishedVersion[];
  /** Digests of deployed artifacts. */
  readonly held: ReadonlySet<string>;
  /** Stored digests with the time of their last write. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Returns the digests to remove, sorted. */
function digestsToRemove({ versions, held, kept }: StoreState, retention: Retention, now: number): string[] {
  const counts = new Map<string, number>();
  const needed = new Set(held);
  for (const { project, name, digest, published } of versions) {
    const count = counts.get(`${project}/${name}`) ?? 0;
    // Versions that were removed before do not count.
    if (kept.has(digest)) counts.set(`${project}/${name}`, count + 1);
    if (count < retention.versions || now - Date.parse(published) < retention.age) needed.add(digest);
  }
  const isOld = (digest: string): boolean => now - (kept.get(digest) ?? 0) >= grace;
  return [...kept.keys()].filter((digest) => !needed.has(digest) && isOld(digest)).sort();
}

/** Removes artifacts beyond the retention and returns their digests; `dryRun` removes nothing. */
export async function prune(
  store: ArtifactStore,
  retention: Retention,
  now: number,
  dryRun = false,
): Promise<readonly string[]> {
  const [versions, kept] = [await store.versions(), await store.storedDigests()];
  // Read last, so artifacts deployed meanwhile are kept.
  const held = new Set((await store.holders()).keys());
  const toRemove = digestsToRemove({ versions, held, kept }, retention, now);
  if (dryRun) return toRemove;
  for (const digest of toRemove) await store.discard(digest);
  await store.removeDrafts(now - grace);
  return toRemove;
}
