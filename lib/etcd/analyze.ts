import { adviceOf } from './advice';
import { type Buckets, readBuckets } from './buckets';
import { type ByteUse, type EtcdContents, type PageUse, type Revisions } from './contents';
import { DamageList } from './damage';
import { type DatabaseBytes } from './database-bytes';
import { giveBackOf } from './give-back';
import { groupsOf } from './groups';
import { u16, u32, u64 } from './integers';
import { KeyPass } from './key-pass';
import { type Meta, readMeta } from './meta-page';
import { pageFlags, pageHeaderBytes, PageMap, pageUses } from './page';
import { PageReader } from './page-reader';
import { quotaOf } from './growth';
import { formats } from './value-facts';

/** How a file is looked at. */
export interface AnalyzeOptions {
  /** Bytes that etcd allows its database. @default 2 GiB, as etcd has it */
  readonly quota?: number;
}

/** A database that was read: what it holds, and the columns that pictures and differences are made of. */
export interface Read {
  readonly contents: EtcdContents;
  readonly pass: KeyPass;
}

/** What a file turned out to be: a database with its contents, or why it is none. */
export type Analyzed =
  | Read
  /** No meta page can be read; `isForeign` where the file does not even look like a database. */
  | { readonly isForeign: boolean; readonly damage: DamageList };

const defaultQuota = 2 * 1024 ** 3;
const digestBytes = 32;

/**
 * Reads an etcd database file or snapshot and adds up all that it holds: branches first, then every leaf once, in the
 * order of the file. Memory grows with the number of keys, not with the file. Damage is told page by page and never thrown.
 */
export async function analyze(bytes: DatabaseBytes, { quota = defaultQuota }: AnalyzeOptions = {}): Promise<Analyzed> {
  const damage = new DamageList();
  const found = readMeta(bytes, damage);
  if (!('meta' in found)) return { isForeign: found.isForeign, damage };
  const { meta } = found;
  const reader = new PageReader(bytes, meta.pageSize, mapOf(bytes, meta, damage), damage);
  const damagedBefore = damage.count;
  const buckets = readBuckets(reader, meta.root);
  const pass = new KeyPass(reader, buckets.keyLeaves, buckets.compacted);
  const isSnapshot = bytes.size % 512 === digestBytes;
  const checksum = isSnapshot ? await runWithChecksum(pass, bytes) : (await pass.run(), 'none' as const);
  // What is wrong besides, such as a meta page or the checksum, takes no page out of the sums.
  pass.totals.isWhole = damage.count === damagedBefore && reader.map.count === meta.pages;
  damageOfLength(bytes, meta, isSnapshot, damage);
  if (checksum === 'differs')
    damage.add(
      Math.floor((bytes.size - digestBytes) / meta.pageSize),
      'the checksum at the end of the snapshot does not fit its content',
    );
  return { contents: contentsOf({ bytes, meta, reader, buckets, pass, quota, checksum, isSnapshot }), pass };
}

/** Says where the file ends within a page. */
function damageOfLength(bytes: DatabaseBytes, { pageSize }: Meta, isSnapshot: boolean, damage: DamageList): void {
  const rest = bytes.size % pageSize;
  if (!isSnapshot && rest !== 0)
    damage.add(Math.floor(bytes.size / pageSize), `the file ends after ${rest} bytes of this page`);
}

function mapOf(bytes: DatabaseBytes, meta: Meta, damage: DamageList): PageMap {
  const whole = Math.floor(bytes.size / meta.pageSize);
  const count = Math.min(meta.pages, whole);
  if (count < meta.pages) damage.add(count, `the file ends before this page; ${meta.pages - count} pages are missing`);
  const map = new PageMap(count);
  map.uses.fill(pageUses.meta, 0, 2);
  const wrong = meta.freelist === undefined ? undefined : takeFreelist(bytes, meta.freelist, meta.pageSize, map);
  if (wrong !== undefined) damage.add(0, `the list of free pages ${wrong}`);
  return map;
}

/** The list lies on one page and those after it; etcd itself keeps none in the file. */
function takeFreelist(bytes: DatabaseBytes, page: number, pageSize: number, map: PageMap): string | undefined {
  const head = new Uint8Array(pageHeaderBytes);
  if (bytes.read(head, page * pageSize) < head.length || u64(head, 0) !== page || u16(head, 8) !== pageFlags.freelist)
    return `is not on page ${page}, where it should be`;
  const last = page + u32(head, 12);
  if (last >= map.count) return `goes on to page ${last}, which the file does not have`;
  for (let next = page; next <= last; next++) {
    const wrong = map.take(next, pageUses.freelist);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function runWithChecksum(pass: KeyPass, bytes: DatabaseBytes): Promise<'fits' | 'differs' | 'unread'> {
  const hash = bytes.sha256?.();
  if (!hash) {
    await pass.run();
    return 'unread';
  }
  let left = bytes.size - digestBytes;
  await pass.run((piece) => {
    hash.update(piece.subarray(0, Math.max(0, Math.min(left, piece.length))));
    left -= piece.length;
  });
  const said = new Uint8Array(digestBytes);
  bytes.read(said, bytes.size - digestBytes);
  return Buffer.compare(hash.digest(), said) === 0 ? 'fits' : 'differs';
}

interface Parts {
  readonly bytes: DatabaseBytes;
  readonly meta: Meta;
  readonly reader: PageReader;
  readonly buckets: Buckets;
  readonly pass: KeyPass;
  readonly quota: number;
  readonly checksum: EtcdContents['file']['checksum'];
  readonly isSnapshot: boolean;
}

function contentsOf(read: Parts): EtcdContents {
  const { meta, reader, buckets, pass, quota, checksum, isSnapshot } = read;
  const { damage } = reader;
  const { totals } = pass;
  const pages = pagesOf(reader.map, meta);
  const bytes = bytesOf(read, pages);
  const giveBack = giveBackOf(pass, bytes, meta.pageSize, reader.map.countOf(pageUses.leaf));
  const { total, ...by } = groupsOf(pass);
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
    everywhere: { managedFields: totals.managedFields, lastApplied: totals.lastApplied, status: totals.status },
    ...valueKinds(pass),
    leases: { count: buckets.all.find(({ name }) => name === 'lease')?.entries ?? 0, ...leased(pass) },
    alarms: buckets.alarms,
    buckets: buckets.all.map(({ name, entries, bytes: size }) =>
      name === 'key' ? { name, entries: totals.records, bytes: totals.bytes } : { name, entries, bytes: size },
    ),
    by,
    giveBack,
    quota: quotaOf(pass, buckets.compacted, bytes, giveBack, quota),
  };
  return { ...known, advice: adviceOf(known) };
}

function pagesOf(map: PageMap, { pageSize, pages }: Meta): PageUse {
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

function bytesOf({ bytes, meta, buckets, pass }: Parts, pages: PageUse): ByteUse {
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

function revisionsOf({ totals }: KeyPass, { compacted }: Buckets): Revisions {
  const { seconds, writes } = totals;
  return {
    current: Math.max(totals.revision, compacted),
    compacted,
    writes,
    ...(seconds !== undefined && { seconds, writesPerSecond: writes / seconds }),
  };
}

function valueKinds({ columns, values, totals }: KeyPass): Pick<EtcdContents, 'formats' | 'encryption'> {
  const byFormat = formats.map(() => 0);
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

function leased({ columns }: KeyPass): { readonly keys: number; readonly bytes: number } {
  let [keys, bytes] = [0, 0];
  for (let key = 0; key < columns.size; key++) {
    if (columns.isLeased[key] === 0 || columns.liveBytes[key] === 0) continue;
    keys++;
    bytes += columns.liveBytes[key] as number;
  }
  return { keys, bytes };
}
