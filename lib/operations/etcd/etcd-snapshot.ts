import { createHash } from 'node:crypto';
import { type EtcdEndpoint, EtcdRequestError } from './etcd-endpoint';
import { type EtcdMember, type EtcdObserved, isLeader } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** Length of the SHA-256 at the end of a snapshot. */
const hashBytes = 32;
/** Idle timeout in milliseconds; the member reads its database file between chunks. */
const idleTimeout = 60_000;

/** Returns the member to snapshot: a healthy one that is caught up, preferably not the leader. */
export function snapshotSource({ members }: EtcdObserved, policy: EtcdPolicy): EtcdMember | undefined {
  const newest = Math.max(0, ...members.map(({ committed }) => committed));
  const candidates = members.filter(
    ({ unhealthyReason, learner, applied }) =>
      unhealthyReason === undefined && !learner && newest - applied <= policy.lag,
  );
  return candidates.sort((a, b) => Number(isLeader(a)) - Number(isLeader(b)) || b.applied - a.applied)[0];
}

/**
 * Streams a snapshot of a member, including the SHA-256 at its end, and verifies it. Returns the number of bytes.
 * Throws an `EtcdRequestError` if the stream ends early or the checksum differs.
 */
export async function streamSnapshot(
  endpoint: EtcdEndpoint,
  write: (chunk: Uint8Array) => void | Promise<void>,
  onProgress?: (done: number, total: number) => void,
): Promise<number> {
  const hash = createHash('sha256');
  let tail = Buffer.alloc(0);
  let done = 0;
  let remaining = 0;
  await endpoint.stream('maintenance/snapshot', {}, idleTimeout, async ({ blob, remaining_bytes: remainingBytes }) => {
    const chunk = Buffer.from(typeof blob === 'string' ? blob : '', 'base64');
    remaining = Number(remainingBytes ?? 0);
    done += chunk.length;
    // The last bytes may be the checksum, so they are not hashed yet.
    const all = Buffer.concat([tail, chunk]);
    const hashedBytes = Math.max(0, all.length - hashBytes);
    hash.update(all.subarray(0, hashedBytes));
    tail = Buffer.from(all.subarray(hashedBytes));
    await write(chunk);
    onProgress?.(done, done + remaining);
  });
  // A database is a multiple of 512 bytes, followed by the checksum.
  if (remaining > 0 || done % 512 !== hashBytes)
    throw new EtcdRequestError(`${endpoint.url} ended its snapshot early, after ${done} bytes`);
  if (!hash.digest().equals(tail))
    throw new EtcdRequestError(`the snapshot of ${endpoint.url} does not match its checksum`);
  return done;
}
