import { type ByteUse, type ReclaimableSpace } from './etcd-contents';
import { type KeyScan } from './key-scan';
import { elementBytes } from '../file/page';
import { Packing } from './packing';

/** Meta pages, the root bucket and the freelist of a defragmented file. */
const fixedPages = 4;

/**
 * Computes the space that compaction to the current revision and defragmentation would reclaim.
 *
 * It simulates defragmentation: entries are packed into leaves as in etcd (bbolt splits at a fill factor of 0.9); the pages of
 * other buckets keep their size.
 */
export function reclaimableSpaceOf(
  scan: KeyScan,
  bytes: ByteUse,
  pageSize: number,
  otherPages: number,
): ReclaimableSpace {
  const { columns, totals } = scan;
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
  // A superseded revision is reclaimable regardless of the contents of unreadable pages.
  const compaction = totals.bytes - liveBytes + elementBytes * (totals.records - liveRecords);
  if (!totals.isWhole) return { compaction };
  const otherBytes = (fixedPages + otherPages) * pageSize;
  const reclaimed = (packed: number): number => Math.max(0, bytes.database - packed - otherBytes);
  return {
    compaction,
    defragmentation: reclaimed(scan.packing.bytes),
    both: reclaimed(live.bytes),
  };
}
