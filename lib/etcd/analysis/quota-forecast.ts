import { type ByteUse, type ReclaimableSpace, type EtcdQuota } from './etcd-contents';
import { type KeyScan } from './key-scan';

const daySeconds = 86_400;
/** Minimum seconds for a growth rate: a shorter time span shows start-up, not growth. */
const minSeconds = 60;

/**
 * Forecasts when a database reaches its quota, from its revisions.
 *
 * The file contains all revisions since the last compaction, and of earlier ones only those that were live then. Growth is
 * the difference between live bytes now and then, divided by the time in between; without a compaction it is all written
 * bytes. Reclaimable space does not count as growth, although the quota limits the whole file.
 */
export function forecastQuotaUse(
  scan: KeyScan,
  compacted: number,
  bytes: ByteUse,
  reclaimable: ReclaimableSpace,
  quota: number,
): EtcdQuota {
  const { columns, totals } = scan;
  const usage = { bytes: quota, used: bytes.database };
  if (totals.seconds === undefined || totals.seconds < minSeconds || totals.bytes === 0) return usage;
  if (reclaimable.both === undefined) return usage;
  let growth = totals.writtenBytes;
  if (compacted > 0) {
    growth = 0;
    for (let key = 0; key < columns.size; key++)
      growth += (columns.liveBytes[key] as number) - (columns.beforeBytes[key] as number);
  }
  const remaining = bytes.database - reclaimable.both;
  const live = totals.bytes - (compacted > 0 ? reclaimable.compaction : 0);
  // Pages are larger than the revisions in them.
  const overhead = Math.max(1, live > 0 ? remaining / live : 1);
  const growthPerDay = (growth * overhead * daySeconds) / totals.seconds;
  if (growthPerDay <= 0) return { ...usage, growthPerDay };
  return { ...usage, growthPerDay, days: Math.max(0, quota - remaining) / growthPerDay };
}
