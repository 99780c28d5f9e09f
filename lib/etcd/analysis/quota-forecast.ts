import { type ByteUse, type ReclaimableSpace, type EtcdQuota } from './etcd-contents';
import { type KeyScan } from './key-scan';

const daySeconds = 86_400;
/** Minimum seconds for a growth rate: a shorter time shows start-up, not growth. */
const minSeconds = 60;

/**
 * Forecasts when a database reaches its quota, from the revisions that it holds.
 *
 * The file holds all revisions since the last compaction, and from before it only those that were live then. Growth is
 * what is live now minus what was live then, over the time between; without a compaction it is everything written. Only
 * what remains after compaction and defragmentation counts as growth; the quota limits the whole file.
 */
export function forecastQuotaUse(
  pass: KeyScan,
  compacted: number,
  bytes: ByteUse,
  reclaimable: ReclaimableSpace,
  quota: number,
): EtcdQuota {
  const { columns, totals } = pass;
  const head = { bytes: quota, used: bytes.database };
  if (totals.seconds === undefined || totals.seconds < minSeconds || totals.bytes === 0) return head;
  if (reclaimable.both === undefined) return head;
  let grown = totals.writtenBytes;
  if (compacted > 0) {
    grown = 0;
    for (let key = 0; key < columns.size; key++)
      grown += (columns.liveBytes[key] as number) - (columns.beforeBytes[key] as number);
  }
  const kept = bytes.database - reclaimable.both;
  const live = totals.bytes - (compacted > 0 ? reclaimable.compaction : 0);
  // Pages take more than the revisions in them.
  const share = Math.max(1, live > 0 ? kept / live : 1);
  const growthPerDay = (grown * share * daySeconds) / totals.seconds;
  if (growthPerDay <= 0) return { ...head, growthPerDay };
  return { ...head, growthPerDay, days: Math.max(0, quota - kept) / growthPerDay };
}
