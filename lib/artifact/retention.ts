import { type ArtifactStore, type PublishedVersion } from './artifact-store';

/** What is kept of what was published. What is deployed anywhere is kept besides. */
export interface Retention {
  /** Newest versions of each workflow that are kept. */
  readonly versions: number;
  /** Milliseconds that a version is kept, however many came after it. */
  readonly age: number;
}

/** Milliseconds after which what nobody can find is taken for left behind: a publisher needs seconds. */
export const grace = 24 * 3_600_000;

/** What a store holds, as far as retention asks. */
interface Holdings {
  /** The newest first. */
  readonly versions: readonly PublishedVersion[];
  /** Digests of what is deployed. */
  readonly held: ReadonlySet<string>;
  /** Digests that take room, with the time of their last write. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Digests that a retention lets go of, in the order of their names. */
function superfluous({ versions, held, kept }: Holdings, retention: Retention, now: number): string[] {
  const counts = new Map<string, number>();
  const needed = new Set(held);
  for (const { project, name, digest, published } of versions) {
    const count = counts.get(`${project}/${name}`) ?? 0;
    // What was removed before takes no place among the newest.
    if (kept.has(digest)) counts.set(`${project}/${name}`, count + 1);
    if (count < retention.versions || now - Date.parse(published) < retention.age) needed.add(digest);
  }
  const isOld = (digest: string): boolean => now - (kept.get(digest) ?? 0) >= grace;
  return [...kept.keys()].filter((digest) => !needed.has(digest) && isOld(digest)).sort();
}

/** Removes what a retention lets go of; a `dryRun` removes nothing. Gives the digests. */
export async function prune(
  store: ArtifactStore,
  retention: Retention,
  now: number,
  dryRun = false,
): Promise<readonly string[]> {
  const [versions, kept] = [await store.versions(), await store.kept()];
  // Asked last: what is deployed meanwhile is kept.
  const held = new Set((await store.holders()).keys());
  const gone = superfluous({ versions, held, kept }, retention, now);
  if (dryRun) return gone;
  for (const digest of gone) await store.discard(digest);
  await store.removeDrafts(now - grace);
  return gone;
}
