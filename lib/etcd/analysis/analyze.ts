import { adviceOf } from './advice';
import { type BucketSummary, readBuckets } from '../file/read-buckets';
import { type ByteUse, type EtcdContents, type PageUse, type Revisions } from './etcd-contents';
import { CorruptionList } from '../file/corruption-list';
import { type DatabaseFile } from '../file/database-file';
import { reclaimableSpaceOf } from './reclaimable-space';
import { sumGroups } from './group-keys';
import { u16, u32, u64 } from '../file/integers';
import { KeyScan } from './key-scan';
import { type DatabaseMeta, readMeta } from '../file/read-meta';
import { pageFlags, pageHeaderBytes, PageMap, pageUses } from '../file/page';
import { PageReader } from '../file/page-reader';
import { forecastQuotaUse } from './quota-forecast';
import { valueFormats } from '../values/value-summary';

/** Options of an analysis. */
export interface AnalyzeOptions {
  /** Backend quota in bytes. @default 2 GiB, as in etcd */
  readonly quota?: number;
}

/** Contents of a database, and the scan for flame graphs and comparisons. */
export interface AnalyzedDatabase {
  readonly contents: EtcdContents;
  readonly scan: KeyScan;
}

/** Contents of a database, or the corruption due to which the file cannot be read. */
export type AnalyzeResult =
  | AnalyzedDatabase
  /** No meta page is readable; `isForeign` if the file is not a bbolt database. */
  | { readonly isForeign: boolean; readonly damage: CorruptionList };

const defaultQuota = 2 * 1024 ** 3;
const digestBytes = 32;

/**
 * Reads an etcd database file or snapshot and summarizes its contents: first the branches, then every leaf once, in file order.
 * Memory use depends on the number of keys, not on the size of the file. Corruption is reported per page and never thrown.
 */
export async function analyze(
  bytes: DatabaseFile,
  { quota = defaultQuota }: AnalyzeOptions = {},
): Promise<AnalyzeResult> {
  const damage = new CorruptionList();
  const found = readMeta(bytes, damage);
  if (!('meta' in found)) return { isForeign: found.isForeign, damage };
  const { meta } = found;
  const reader = new PageReader(bytes, meta.pageSize, createPageMap(bytes, meta, damage), damage);
  const initialDamage = damage.count;
  const buckets = readBuckets(reader, meta.root);
  const scan = new KeyScan(reader, buckets.keyLeaves, buckets.compacted);
  const isSnapshot = bytes.size % 512 === digestBytes;
  const checksum = isSnapshot ? await scanWithChecksum(scan, bytes) : (await scan.run(), 'none' as const);
  // Corruption found later, such as a wrong length or checksum, does not affect the sums.
  scan.totals.isWhole = damage.count === initialDamage && reader.map.count === meta.pages;
  checkLength(bytes, meta, isSnapshot, damage);
  if (checksum === 'mismatch')
    damage.add(
      Math.floor((bytes.size - digestBytes) / meta.pageSize),
      'the checksum at the end of the snapshot does not match its content',
    );
  return { contents: contentsOf({ bytes, meta, reader, buckets, scan, quota, checksum, isSnapshot }), scan };
}

/** Reports a file that ends within a page. */
function checkLength(
  bytes: DatabaseFile,
  { pageSize }: DatabaseMeta,
  isSnapshot: boolean,
  damage: CorruptionList,
): void {
  const rest = bytes.size % pageSize;
  if (!isSnapshot && rest !== 0)
    damage.add(Math.floor(bytes.size / pageSize), `the file ends after ${rest} bytes of this page`);
}

function createPageMap(bytes: DatabaseFile, meta: DatabaseMeta, damage: CorruptionList): PageMap {
  const completePages = Math.floor(bytes.size / meta.pageSize);
  const count = Math.min(meta.pages, completePages);
  if (count < meta.pages) damage.add(count, `the file ends before this page; ${meta.pages - count} pages are missing`);
  const map = new PageMap(count);
  map.uses.fill(pageUses.meta, 0, 2);
  const error = meta.freelist === undefined ? undefined : markFreelist(bytes, meta.freelist, meta.pageSize, map);
  if (error !== undefined) damage.add(0, `the freelist ${error}`);
  return map;
}

/** Marks the pages of the freelist, which is optional because etcd does not store it; returns its corruption. */
function markFreelist(bytes: DatabaseFile, page: number, pageSize: number, map: PageMap): string | undefined {
  const header = new Uint8Array(pageHeaderBytes);
  if (
    bytes.read(header, page * pageSize) < header.length ||
    u64(header, 0) !== page ||
    u16(header, 8) !== pageFlags.freelist
  )
    return `is not on page ${page}`;
  const last = page + u32(header, 12);
  if (last >= map.count) return `extends to page ${last}, beyond the end of the file`;
  for (let next = page; next <= last; next++) {
    const conflict = map.take(next, pageUses.freelist);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

async function scanWithChecksum(scan: KeyScan, bytes: DatabaseFile): Promise<'match' | 'mismatch' | 'skipped'> {
  const hash = bytes.sha256?.();
  if (!hash) {
    await scan.run();
    return 'skipped';
  }
  let remaining = bytes.size - digestBytes;
  await scan.run((chunk) => {
    hash.update(chunk.subarray(0, Math.max(0, Math.min(remaining, chunk.length))));
    remaining -= chunk.length;
  });
  const expected = new Uint8Array(digestBytes);
  bytes.read(expected, bytes.size - digestBytes);
  return Buffer.compare(hash.digest(), expected) === 0 ? 'match' : 'mismatch';
}

interface ContentsInput {
  readonly bytes: DatabaseFile;
  readonly meta: DatabaseMeta;
  readonly reader: PageReader;
  readonly buckets: BucketSummary;
  readonly scan: KeyScan;
  readonly quota: number;
  readonly checksum: EtcdContents['file']['checksum'];
  readonly isSnapshot: boolean;
}

function contentsOf(input: ContentsInput): EtcdContents {
  const { meta, reader, buckets, scan, quota, checksum, isSnapshot } = input;
  const { damage } = reader;
  const { totals } = scan;
  const pages = pagesOf(reader.map, meta);
  const bytes = bytesOf(input, pages);
  const reclaimable = reclaimableSpaceOf(scan, bytes, meta.pageSize, reader.map.countOf(pageUses.leaf));
  const { total, ...by } = sumGroups(scan);
  const contents = {
    file: {
      kind: isSnapshot ? ('snapshot' as const) : ('database' as const),
      checksum,
      transaction: meta.transaction,
      ...(buckets.storageVersion !== undefined && { storageVersion: buckets.storageVersion }),
    },
    isComplete: damage.count === 0,
    damage: {
      count: damage.count,
      pages: damage.found,
      coversAll: totals.isWhole,
      leavesRead: scan.leaves,
      leaves: buckets.keyLeaves.count,
    },
    pages,
    bytes,
    revision: revisionsOf(scan, buckets),
    total,
    tombstoneBytes: totals.tombstoneBytes,
    allRevisions: { managedFields: totals.managedFields, lastApplied: totals.lastApplied, status: totals.status },
    ...countFormats(scan),
    leases: { count: buckets.all.find(({ name }) => name === 'lease')?.entries ?? 0, ...countLeased(scan) },
    alarms: buckets.alarms,
    buckets: buckets.all.map(({ name, entries, bytes: size }) =>
      name === 'key' ? { name, entries: totals.records, bytes: totals.bytes } : { name, entries, bytes: size },
    ),
    by,
    reclaimable,
    quota: forecastQuotaUse(scan, buckets.compacted, bytes, reclaimable, quota),
  };
  return { ...contents, advice: adviceOf(contents) };
}

function pagesOf(map: PageMap, { pageSize, pages }: DatabaseMeta): PageUse {
  return {
    size: pageSize,
    count: pages,
    meta: map.countOf(pageUses.meta),
    branch: map.countOf(pageUses.branch),
    leaf: map.countOf(pageUses.leaf) + map.countOf(pageUses.keyLeaf),
    overflow: map.countOf(pageUses.overflow),
    freelist: map.countOf(pageUses.freelist),
    free: map.countOf(pageUses.free),
    missing: pages - map.count,
  };
}

function bytesOf({ bytes, meta, buckets, scan }: ContentsInput, pages: PageUse): ByteUse {
  const allocated = (pages.branch + pages.leaf + pages.overflow) * meta.pageSize;
  const metadata = (pages.meta + pages.freelist) * meta.pageSize;
  const used = buckets.usedBytes + scan.usedBytes;
  return {
    file: bytes.size,
    database: pages.count * meta.pageSize,
    free: pages.free * meta.pageSize,
    unused: allocated - used,
    used: used + metadata,
    records: scan.totals.bytes,
  };
}

function revisionsOf({ totals }: KeyScan, { compacted }: BucketSummary): Revisions {
  const { seconds, writes } = totals;
  return {
    current: Math.max(totals.revision, compacted),
    compacted,
    writes,
    ...(seconds !== undefined && { seconds, writesPerSecond: writes / seconds }),
  };
}

function countFormats({ columns, values, totals }: KeyScan): Pick<EtcdContents, 'formats' | 'encryption'> {
  const byFormat = valueFormats.map(() => 0);
  const byEncryption = totals.encryptions.map(() => 0);
  for (let key = 0; key < columns.size; key++) {
    if (columns.liveBytes[key] === 0) continue;
    const format = columns.format[key] as number;
    const encryption = columns.encryption[key] as number;
    byFormat[format] = (byFormat[format] ?? 0) + 1;
    if (encryption >= 0) byEncryption[encryption] = (byEncryption[encryption] ?? 0) + 1;
  }
  return {
    formats: totals.byFormat.map((format, index) => ({ ...format, objects: byFormat[index] ?? 0 })),
    encryption: totals.encryptions.map((encryption, id) => ({
      name: values.encryptions.text(id),
      ...encryption,
      objects: byEncryption[id] ?? 0,
    })),
  };
}

function countLeased({ columns }: KeyScan): { readonly keys: number; readonly bytes: number } {
  let [keys, bytes] = [0, 0];
  for (let key = 0; key < columns.size; key++) {
    if (columns.isLeased[key] === 0 || columns.liveBytes[key] === 0) continue;
    keys++;
    bytes += columns.liveBytes[key] as number;
  }
  return { keys, bytes };
}
