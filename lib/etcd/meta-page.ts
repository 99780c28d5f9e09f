import { type DatabaseBytes } from './database-bytes';
import { type DamageList } from './damage';
import { u16, u32, u64 } from './integers';

/** What a meta page says of a database. */
export interface Meta {
  readonly pageSize: number;
  /** Page of the bucket that holds all buckets. */
  readonly root: number;
  /** Page of the list of free pages; undefined where it is not stored, as etcd has it. */
  readonly freelist: number | undefined;
  /** The first page number that was never used. */
  readonly pages: number;
  readonly transaction: number;
}

/** What was found where meta pages lie. */
export type FoundMeta = { readonly meta: Meta } | { readonly isForeign: boolean };

const headerBytes = 16;
const magic = 0xed0cdaed;
const version = 2;
const metaFlag = 4;
const checksummed = 56;

/**
 * Reads the newer of the two meta pages that is whole, as bbolt does when it opens a file.
 * A meta page that is not whole is damage: the state is then that of the transaction before, or of the same one.
 */
export function readMeta(bytes: DatabaseBytes, damage: DamageList): FoundMeta {
  const first = metaAt(bytes, 0, 0);
  const size = typeof first === 'string' ? undefined : first.pageSize;
  const second = size === undefined ? guessedSecond(bytes) : { at: size, found: metaAt(bytes, size, 1) };
  const whole = [first, second.found].filter((one) => typeof one !== 'string');
  if (typeof first === 'string') damage.add(0, first);
  if (typeof second.found === 'string') damage.add(1, second.found);
  const [one, other] = whole;
  if (!one) return { isForeign: first === foreign && second.found === foreign };
  return { meta: other && other.transaction > one.transaction ? other : one };
}

const foreign = 'is no meta page: it lacks the mark of a bbolt database';

function guessedSecond(bytes: DatabaseBytes): { readonly at: number; readonly found: Meta | string } {
  const sizes = [4096, 512, 1024, 2048, 8192, 16_384, 32_768, 65_536];
  const all = sizes.map((at) => ({ at, found: metaAt(bytes, at, 1) }));
  const right = all.find(({ at, found }) => typeof found !== 'string' && found.pageSize === at);
  return right ?? (all[0] as (typeof all)[number]);
}

/** The meta page at a place, or what is wrong with it. */
function metaAt(bytes: DatabaseBytes, at: number, page: number): Meta | string {
  const buffer = new Uint8Array(headerBytes + checksummed + 8);
  if (bytes.read(buffer, at) < buffer.length) return 'the file ends before the end of this meta page';
  if (u32(buffer, headerBytes) !== magic) return foreign;
  const body = buffer.subarray(headerBytes);
  if (u32(body, 4) !== version) return `the meta page has version ${u32(body, 4)}, not ${version}`;
  if (
    fnv64(body.subarray(0, checksummed)) !== new DataView(body.buffer, body.byteOffset).getBigUint64(checksummed, true)
  )
    return 'the checksum of the meta page does not match';
  if (u64(buffer, 0) !== page || u16(buffer, 8) !== metaFlag) return 'the header is not that of this meta page';
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

/** FNV-1a with 64 bits. */
function fnv64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
