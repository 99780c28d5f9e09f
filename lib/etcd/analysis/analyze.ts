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

/** Contents of a database, and the key columns for flame graphs and comparisons. */
export interface AnalyzedDatabase {
  readonly contents: EtcdContents;
  readonly pass: KeyScan;
}

/** Contents of a database, or why the file cannot be read. */
export type AnalyzeResult =
  | AnalyzedDatabase
  /** No meta page can be read; `isForeign` if the file is not a bbolt database. */
  | { readonly isForeign: boolean; readonly damage: CorruptionList };

const defaultQuota = 2 * 1024 ** 3;
const digestBytes = 32;

/**
 * Reads an etcd database file or snapshot and sums its contents: branches first, then every leaf once, in file order.
 * Memory grows with the number of keys, not with the file. Corruption is reported per page and never thrown.
 */
export async function analyze(
  bytes: DatabaseFile,
  { quota = defaultQuota }: AnalyzeOptions = {},
): Promise<AnalyzeResult> {
  const damage = new CorruptionList();
  const found = readMeta(bytes, damage);
  if (!('meta' in found)) return { isForeign: found.isForeign, damage };
  const { meta } = found;
  const reader = new PageReader(bytes, meta.pageSize, mapOf(bytes, meta, damage), damage);
  const damagedBefore = damage.count;
  const buckets = readBuckets(reader, meta.root);
  const pass = new KeyScan(reader, buckets.keyLeaves, buckets.compacted);
  const isSnapshot = bytes.size % 512 === digestBytes;
  const checksum = isSnapshot ? await scanWithChecksum(pass, bytes) : (await pass.run(), 'none' as const);
  // Corruption found later, such as of the length or the checksum, does not affect the sums.
  pass.totals.isWhole = damage.count === damagedBefore && reader.map.count === meta.pages;
  checkLength(bytes, meta, isSnapshot, damage);
  if (checksum === 'mismatch')
    damage.add(
      Math.floor((bytes.size - digestBytes) / meta.pageSize),
      'the checksum at the end of the snapshot does not match its content',
    );
  return { contents: contentsOf({ bytes, meta, reader, buckets, pass, quota, checksum, isSnapshot }), pass };
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

function mapOf(bytes: DatabaseFile, meta: DatabaseMeta, damage: CorruptionList): PageMap {
  const whole = Math.floor(bytes.size / meta.pageSize);
  const count = Math.min(meta.pages, whole);
  if (count < meta.pages) damage.add(count, `the file ends before this page; ${meta.pages - count} pages are missing`);
  const map = new PageMap(count);
  map.uses.fill(pageUses.meta, 0, 2);
  const wrong = meta.freelist === undefined ? undefined : takeFreelist(bytes, meta.freelist, meta.pageSize, map);
  if (wrong !== undefined) damage.add(0, `the freelist ${wrong}`);
  return map;
}

/** Marks the pages of the freelist, which is optional: etcd does not store it. */
function takeFreelist(bytes: DatabaseFile, page: number, pageSize: number, map: PageMap): string | undefined {
  const head = new Uint8Array(pageHeaderBytes);
  if (bytes.read(head, page * pageSize) < head.length || u64(head, 0) !== page || u16(head, 8) !== pageFlags.freelist)
    return `is not on page ${page}`;
  const last = page + u32(head, 12);
  if (last >= map.count) return `extends to page ${last}, which the file does not have`;
  for (let next = page; next <= last; next++) {
    const wrong = map.take(next, pageUses.freelist);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function scanWithChecksum(pass: KeyScan, bytes: DatabaseFile): Promise<'match' | 'mismatch' | 'skipped'> {
  const hash = bytes.sha256?.();
  if (!hash) {
    await pass.run();
    return 'skipped';
  }
  let left = bytes.size - digestBytes;
  await pass.run((piece) => {
    hash.update(piece.subarray(0, Math.max(0, Math.min(left, piece.length))));
    left -= piece.length;
  });
  const expected = new Uint8Array(digestBytes);
  bytes.read(expected, bytes.size - digestBytes);
  return Buffer.compare(hash.digest(), expected) === 0 ? 'match' : 'mismatch';
}

interface ReadDatabase {
  readonly bytes: DatabaseFile;
  readonly meta: DatabaseMeta;
  readonly reader: PageReader;
  readonly buckets: BucketSummary;
  readonly pass: KeyScan;
  readonly quota: number;
  readonly checksum: EtcdContents['file']['checksum'];
  readonly isSnapshot: boolean;
}

function contentsOf(read: ReadDatabase): EtcdContents {
  const { meta, reader, buckets, pass, quota, checksum, isSnapshot } = read;
  const { damage } = reader;
  const { totals } = pass;
  const pages = pagesOf(reader.map, meta);
  const bytes = bytesOf(read, pages);
  const reclaimable = reclaimableSpaceOf(pass, bytes, meta.pageSize, reader.map.countOf(pageUses.leaf));
  const { total, ...by } = sumGroups(pass);
  const known = {
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
      leavesRead: pass.leaves,
      leaves: buckets.keyLeaves.count,
    },
    pages,
    bytes,
    revision: revisionsOf(pass, buckets),
    total,
    tombstoneBytes: totals.tombstoneBytes,
    allRevisions: { managedFields: totals.managedFields, lastApplied: totals.lastApplied, status: totals.status },
    ...valueKinds(pass),
    leases: { count: buckets.all.find(({ name }) => name === 'lease')?.entries ?? 0, ...leased(pass) },
    alarms: buckets.alarms,
    buckets: buckets.all.map(({ name, entries, bytes: size }) =>
      name === 'key' ? { name, entries: totals.records, bytes: totals.bytes } : { name, entries, bytes: size },
    ),
    by,
    reclaimable,
    quota: forecastQuotaUse(pass, buckets.compacted, bytes, reclaimable, quota),
  };
  return { ...known, advice: adviceOf(known) };
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

function bytesOf({ bytes, meta, buckets, pass }: ReadDatabase, pages: PageUse): ByteUse {
  const taken = (pages.branch + pages.leaf + pages.overflow) * meta.pageSize;
  const fixed = (pages.meta + pages.freelist) * meta.pageSize;
  const used = buckets.usedBytes + pass.usedBytes;
  return {
    file: bytes.size,
    database: pages.count * meta.pageSize,
    free: pages.free * meta.pageSize,
    unused: taken - used,
    used: used + fixed,
    records: pass.totals.bytes,
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

function valueKinds({ columns, values, totals }: KeyScan): Pick<EtcdContents, 'formats' | 'encryption'> {
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
    formats: totals.byFormat.map((one, index) => ({ ...one, objects: byFormat[index] ?? 0 })),
    encryption: totals.encryptions.map((one, id) => ({
      name: values.encryptions.text(id),
      ...one,
      objects: byEncryption[id] ?? 0,
    })),
  };
}

function leased({ columns }: KeyScan): { readonly keys: number; readonly bytes: number } {
  let [keys, bytes] = [0, 0];
  for (let key = 0; key < columns.size; key++) {
    if (columns.isLeased[key] === 0 || columns.liveBytes[key] === 0) continue;
    keys++;
    bytes += columns.liveBytes[key] as number;
  }
  return { keys, bytes };
}
