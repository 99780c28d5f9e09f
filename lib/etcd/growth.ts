import { type ByteUse, type GiveBack, type Quota } from './contents';
import { type KeyPass } from './key-pass';

const daySeconds = 86_400;
/** A shorter time tells of no day: what starts up is not growth. */
const leastSeconds = 60;

/**
 * How far a database is from its quota, at the rate of the revisions that it holds.
 *
 * All revisions since the last compaction are in the file, and of those before it just what was live then: so what is
 * live now less what was live then is the growth, over the time between. A database that was never compacted keeps all
 * that is written. What grows is what stays after compaction and defragmentation; the quota counts the whole file.
 */
export function quotaOf(pass: KeyPass, compacted: number, bytes: ByteUse, giveBack: GiveBack, quota: number): Quota {
  const { columns, totals } = pass;
  const head = { bytes: quota, used: bytes.database };
  if (totals.seconds === undefined || totals.seconds < leastSeconds || totals.bytes === 0) return head;
  if (giveBack.both === undefined) return head;
  let grown = totals.writtenBytes;
  if (compacted > 0) {
    grown = 0;
    for (let key = 0; key < columns.size; key++)
      grown += (columns.liveBytes[key] as number) - (columns.beforeBytes[key] as number);
  }
  const kept = bytes.database - giveBack.both;
  const live = totals.bytes - (compacted > 0 ? giveBack.compaction : 0);
  // Pages take more than the revisions in them.
  const share = Math.max(1, live > 0 ? kept / live : 1);
  const growthPerDay = (grown * share * daySeconds) / totals.seconds;
  if (growthPerDay <= 0) return { ...head, growthPerDay };
  return { ...head, growthPerDay, days: Math.max(0, quota - kept) / growthPerDay };
}
