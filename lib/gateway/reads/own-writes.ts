import * as z from 'zod';
import { type Clock } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';
import { whenReached } from './when-reached';

/** Returns whether a cache has seen a write. */
type IsSeen = (cache: ObjectCache) => boolean;

/** Write whose effect its client must see in its next read. */
interface PendingWrite {
  readonly cache: ObjectCache;
  readonly isSeen: IsSeen;
  readonly at: number;
}

/** Milliseconds after which a write is forgotten, and the number of them that are remembered for a client. */
const limits = { age: 60_000, writes: 1_000 };

const metadata = z.object({
  name: z.string().default(''),
  namespace: z.string().default(''),
  uid: z.string().optional(),
  // Versions of other servers are not revisions; nothing is known of when they are reached.
  resourceVersion: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .catch(undefined),
});
const writtenObject = z.object({ metadata });
const deletionStatus = z.object({ kind: z.literal('Status'), details: z.object({ uid: z.string() }) });
/** Objects of a deleted collection, as they were before. A list has no name, unlike an object whose kind ends alike. */
const deletedList = z.object({
  kind: z.string().endsWith('List'),
  metadata: z.object({ name: z.undefined() }).optional(),
  items: z.array(writtenObject),
});

/** Writes of each client that the caches have not seen yet: a client that writes through a gateway reads the result there. */
export class OwnWrites {
  readonly #pending = new Map<string, PendingWrite[]>();
  #expiredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /**
   * Notes a write of a client by the body of its response; never throws. A response that says nothing of what was written is
   * ignored, and so is a dry run, which writes nothing.
   * @param key - key of the object; undefined for a collection
   * @param isDryRun - whether the request has the parameter `dryRun`
   */
  add(username: string, cache: ObjectCache, key: string | undefined, body: string, isDryRun = false): void {
    if (isDryRun) return;
    this.#expire();
    const isSeen = seenBy(parsed(body), key);
    if (!isSeen || isSeen(cache)) return;
    const writes = this.#unseen(username);
    writes.push({ cache, isSeen, at: this.clock.now() });
    this.#pending.set(username, writes.slice(-limits.writes));
  }

  /** Waits until a cache has seen all writes of a client; returns whether it has in time. */
  whenSeen(username: string, cache: ObjectCache): Promise<boolean> {
    const isSeen = (): boolean => this.#unseen(username).every((write) => write.cache !== cache);
    return whenReached(cache, isSeen, this.clock);
  }

  /** Number of clients with writes that are not known to be seen. */
  get clients(): number {
    return this.#pending.size;
  }

  /** Forgets old writes of all clients, now and then: some never read. */
  #expire(): void {
    const now = this.clock.now();
    if (now - this.#expiredAt < limits.age) return;
    this.#expiredAt = now;
    for (const username of [...this.#pending.keys()]) this.#unseen(username);
  }

  /** Returns the writes of a client that are not seen, without those that are; forgets old ones. */
  #unseen(username: string): PendingWrite[] {
    const writes = this.#pending.get(username) ?? [];
    if (writes.length === 0) return [];
    const now = this.clock.now();
    const unseen = writes.filter(({ cache, isSeen, at }) => now - at < limits.age && !isSeen(cache));
    if (unseen.length === 0) this.#pending.delete(username);
    else this.#pending.set(username, unseen);
    return unseen;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function seenBy(written: unknown, key: string | undefined): IsSeen | undefined {
  const list = key === undefined ? deletedList.safeParse(written).data : undefined;
  if (list) return (cache) => list.items.every((item) => !isStillThere(cache, item));
  const status = deletionStatus.safeParse(written).data;
  if (status) return key === undefined ? undefined : (cache) => cache.get(key)?.uid !== status.details.uid;
  const version = writtenObject.safeParse(written).data?.metadata.resourceVersion;
  return version === undefined ? undefined : (cache) => (cache.version ?? 0) >= Number(version);
}

function isStillThere(cache: ObjectCache, { metadata: written }: z.infer<typeof writtenObject>): boolean {
  const { namespace, name, uid, resourceVersion } = written;
  const object = cache.get(namespace === '' ? name : `${namespace}/${name}`);
  return object !== undefined && object.uid === uid && `${object.version}` === resourceVersion;
}
