import { type DatabaseFile } from './database-file';
import { type CorruptionList } from './corruption-list';
import { u16, u32, u64 } from './integers';

/** Meta page of a database. */
export interface DatabaseMeta {
  readonly pageSize: number;
  /** Page of the root bucket. */
  readonly root: number;
  /** Page of the freelist; undefined if it is not stored, as with etcd. */
  readonly freelist: number | undefined;
  /** High-water mark: the lowest page number that was never used. */
  readonly pages: number;
  readonly transaction: number;
}

/** Meta page; if there is none, whether the file is foreign. */
export type MetaResult = { readonly meta: DatabaseMeta } | { readonly isForeign: boolean };

const headerBytes = 16;
const magic = 0xed0cdaed;
const version = 2;
const metaFlag = 4;
const checksummedBytes = 56;

/**
 * Reads the newer of the two valid meta pages, as bbolt does when it opens a file.
 * If one is corrupt, the other one is used, whose transaction may be older.
 */
export function readMeta(bytes: DatabaseFile, damage: CorruptionList): MetaResult {
  const first = metaAt(bytes, 0, 0);
  const size = typeof first === 'string' ? undefined : first.pageSize;
  const second = size === undefined ? findSecondMeta(bytes) : { at: size, found: metaAt(bytes, size, 1) };
  const valid = [first, second.found].filter((one) => typeof one !== 'string');
  if (typeof first === 'string') damage.add(0, first);
  if (typeof second.found === 'string') damage.add(1, second.found);
  const [one, other] = valid;
  if (!one) return { isForeign: first === foreign && second.found === foreign };
  return { meta: other && other.transaction > one.transaction ? other : one };
}

const foreign = 'is not a meta page: it lacks the magic number of a bbolt database';

function findSecondMeta(bytes: DatabaseFile): { readonly at: number; readonly found: DatabaseMeta | string } {
  const sizes = [4096, 512, 1024, 2048, 8192, 16_384, 32_768, 65_536];
  const candidates = sizes.map((at) => ({ at, found: metaAt(bytes, at, 1) }));
  const matching = candidates.find(({ at, found }) => typeof found !== 'string' && found.pageSize === at);
  return matching ?? (candidates[0] as (typeof candidates)[number]);
}

/** Reads the meta page at an offset, or returns its corruption. */
function metaAt(bytes: DatabaseFile, at: number, page: number): DatabaseMeta | string {
  const buffer = new Uint8Array(headerBytes + checksummedBytes + 8);
  if (bytes.read(buffer, at) < buffer.length) return 'the file ends before the end of this meta page';
  if (u32(buffer, headerBytes) !== magic) return foreign;
  const body = buffer.subarray(headerBytes);
  if (u32(body, 4) !== version) return `the meta page has version ${u32(body, 4)} instead of ${version}`;
  if (
    fnv64(body.subarray(0, checksummedBytes)) !==
    new DataView(body.buffer, body.byteOffset).getBigUint64(checksummedBytes, true)
  )
    return 'the checksum of the meta page does not match';
  if (u64(buffer, 0) !== page || u16(buffer, 8) !== metaFlag) return 'the header is not that of a meta page';
  const pageSize = u32(body, 8);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0)
    return `the meta page has a page size of ${pageSize}`;
  const freelist = u64(body, 32);
  return {
    pageSize,
    root: u64(body, 16),
    freelist: freelist > Number.MAX_SAFE_INTEGER ? undefined : freelist,
    pages: u64(body, 40),
    transaction: u64(body, 48),
  };
}

/** Computes 64-bit FNV-1a. */
function fnv64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
