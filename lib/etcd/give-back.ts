import { type ByteUse, type GiveBack } from './contents';
import { type KeyPass } from './key-pass';
import { elementBytes } from './page';
import { Packing } from './packing';

/** Meta pages, the root of all buckets, and the list of free pages that a defragmentation leaves behind. */
const fixedPages = 4;

/**
 * What compaction to the current revision and defragmentation would give back.
 *
 * Defragmentation is played: entries are packed into leaves as etcd packs them (bbolt's split at a fill of 0.9), those
 * that stay after compaction from their sizes; the pages of other buckets stay as they are.
 */
export function giveBackOf(pass: KeyPass, bytes: ByteUse, pageSize: number, otherPages: number): GiveBack {
  const { columns, totals } = pass;
  const live = new Packing(pageSize);
  let liveBytes = 0;
  let liveRecords = 0;
  for (let key = 0; key < columns.size; key++) {
    const size = columns.liveBytes[key] as number;
    if (size === 0) continue;
    live.add(size);
    liveBytes += size;
    liveRecords++;
  }
  // A revision that was read is superseded whatever the others are: this much is certain, the rest is not.
  const compaction = totals.bytes - liveBytes + elementBytes * (totals.records - liveRecords);
  if (!totals.isWhole) return { compaction };
  const rest = (fixedPages + otherPages) * pageSize;
  const shrinks = (packed: number): number => Math.max(0, bytes.database - packed - rest);
  return {
    compaction,
    defragmentation: shrinks(pass.packing.bytes),
    both: shrinks(live.bytes),
  };
}
