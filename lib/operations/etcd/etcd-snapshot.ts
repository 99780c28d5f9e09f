import { createHash } from 'node:crypto';
import { type EtcdEndpoint, EtcdRequestError } from './etcd-endpoint';
import { type EtcdMember, type EtcdObserved, isLeader } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** Bytes of the SHA-256 that a snapshot ends with. */
const hashBytes = 32;
/** Milliseconds that a member may be silent while it sends; it reads its database file meanwhile. */
const silence = 60_000;

/** The member to take a snapshot of: one that is healthy and caught up, and not the leader if another is. */
export function snapshotSource({ members }: EtcdObserved, policy: EtcdPolicy): EtcdMember | undefined {
  const newest = Math.max(0, ...members.map(({ committed }) => committed));
  const fit = members.filter(
    ({ unhealthyReason, learner, applied }) =>
      unhealthyReason === undefined && !learner && newest - applied <= policy.lag,
  );
  return fit.sort((a, b) => Number(isLeader(a)) - Number(isLeader(b)) || b.applied - a.applied)[0];
}

/**
 * Streams the database of a member, with the SHA-256 that it ends with, and compares that.
 * `write` takes the pieces in their order; gives back how many bytes there were. Throws an `EtcdRefusal` where the stream
 * ends early or the sum differs.
 */
export async function streamSnapshot(
  endpoint: EtcdEndpoint,
  write: (piece: Uint8Array) => void | Promise<void>,
  onProgress?: (done: number, total: number) => void,
): Promise<number> {
  const hash = createHash('sha256');
  let tail = Buffer.alloc(0);
  let done = 0;
  let remaining = 0;
  await endpoint.stream('maintenance/snapshot', {}, silence, async ({ blob, remaining_bytes: left }) => {
    const piece = Buffer.from(typeof blob === 'string' ? blob : '', 'base64');
    remaining = Number(left ?? 0);
    done += piece.length;
    // The last bytes may be the sum: they are kept back from what is summed.
    const all = Buffer.concat([tail, piece]);
    const summed = Math.max(0, all.length - hashBytes);
    hash.update(all.subarray(0, summed));
    tail = Buffer.from(all.subarray(summed));
    await write(piece);
    onProgress?.(done, done + remaining);
  });
  // A database is whole blocks of 512 bytes; with the sum behind it, it is not.
  if (remaining > 0 || done % 512 !== hashBytes)
    throw new EtcdRequestError(`${endpoint.url} ended its snapshot early, after ${done} bytes`);
  if (!hash.digest().equals(tail))
    throw new EtcdRequestError(`the snapshot of ${endpoint.url} does not have the sum that it ends with`);
  return done;
}
