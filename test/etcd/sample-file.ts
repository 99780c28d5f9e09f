import { createHash } from 'node:crypto';
import { type DatabaseFile } from '../../lib/etcd';

/** One revision of a sample. */
export interface SampleRecord {
  readonly key: string;
  readonly revision: number;
  /** Absent for a tombstone. */
  readonly value?: Uint8Array;
  readonly version?: number;
  readonly lease?: number;
}

/** Options of a sample file. */
export interface SampleOptions {
  /** @default 4096 */
  readonly pageSize?: number;
  /** @default - never compacted */
  readonly compacted?: number;
  /** Number of unused pages at the end. @default 3 */
  readonly freePages?: number;
  /** Pages of a stored freelist, which etcd itself does not write. @default - none */
  readonly freelistPages?: number;
  /** Whether leaves are stored from the last to the first. @default false */
  readonly isReversed?: boolean;
  /** Whether to append a SHA-256, as in a snapshot. @default false */
  readonly isSnapshot?: boolean;
}

type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** Encodes a varint. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

/** Encodes a field of a message: a number, text or bytes. */
export function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Input of `kubernetesValue`. */
export interface SampleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly managers?: readonly { readonly manager: string; readonly subresource?: string; readonly time: number }[];
  readonly lastApplied?: string;
  readonly owners?: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[];
  readonly spec?: string;
  readonly status?: string;
}

/** Encodes an object as the API server stores built-in kinds. */
export function kubernetesValue(object: SampleObject): Uint8Array {
  const { apiVersion, kind, name, managers = [], lastApplied, owners = [], spec = '', status } = object;
  const meta = Buffer.concat([
    field(1, name),
    ...(lastApplied === undefined
      ? []
      : [
          field(
            12,
            Buffer.concat([field(1, 'kubectl.kubernetes.io/last-applied-configuration'), field(2, lastApplied)]),
          ),
        ]),
    ...owners.map((owner) =>
      field(13, Buffer.concat([field(1, owner.kind), field(3, owner.name), field(6, owner.controller ? 1 : 0)])),
    ),
    ...managers.map(({ manager, subresource = '', time }) =>
      field(
        17,
        Buffer.concat([field(1, manager), field(2, 'Update'), field(4, field(1, time)), field(8, subresource)]),
      ),
    ),
  ]);
  const raw = Buffer.concat([field(1, meta), field(2, spec), ...(status === undefined ? [] : [field(3, status)])]);
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw), field(3, ''), field(4, '')]);
}

const revisionKey = (revision: number, isTombstone: boolean): Uint8Array => {
  const key = Buffer.alloc(isTombstone ? 18 : 17);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write('_', 8);
  if (isTombstone) key.write('t', 17);
  return key;
};

const entryOf = ({ key, revision, value, version = 1, lease = 0 }: SampleRecord): Entry => [
  revisionKey(revision, value === undefined),
  value === undefined
    ? field(1, key)
    : Buffer.concat([
        field(1, key),
        field(2, revision),
        field(3, revision),
        field(4, version),
        field(5, value),
        ...(lease === 0 ? [] : [field(6, lease)]),
      ]),
];

/** Returns the size in bytes of a revision: its key and its value. */
export function sizeOf(record: SampleRecord): number {
  const [key, value] = entryOf(record);
  return key.length + value.length;
}

/** Returns an etcd database file in bbolt format with the given revisions in this order. */
export function sampleFile(records: readonly SampleRecord[], options: SampleOptions = {}): Buffer {
  const {
    pageSize = 4096,
    compacted,
    freePages = 3,
    freelistPages = 0,
    isReversed = false,
    isSnapshot = false,
  } = options;
  const pages: Buffer[] = [];
  const addPage = (flags: number, elements: Buffer, count: number): number => {
    const id = 2 + pages.length;
    const length = Math.ceil((16 + elements.length) / pageSize) * pageSize;
    const page = Buffer.alloc(length);
    page.writeBigUInt64LE(BigInt(id), 0);
    page.writeUInt16LE(flags, 8);
    page.writeUInt16LE(count, 10);
    page.writeUInt32LE(length / pageSize - 1, 12);
    elements.copy(page, 16);
    for (let at = 0; at < length; at += pageSize) pages.push(page.subarray(at, at + pageSize));
    return id;
  };
  const tree = (entries: readonly Entry[]): number => {
    const ordered = <T>(all: T[]): T[] => (isReversed ? all.reverse() : all);
    let level = ordered(
      ordered(split(entries, pageSize)).map((some) => ({
        first: some[0]?.[0] ?? new Uint8Array(0),
        page: addPage(2, leafElements(some), some.length),
      })),
    );
    while (level.length > 1) {
      const size = Math.max(2, Math.floor((pageSize - 16) / 40));
      const parents: typeof level = [];
      for (let at = 0; at < level.length; at += size) {
        const some = level.slice(at, at + size);
        parents.push({
          first: some[0]?.first ?? new Uint8Array(0),
          page: addPage(1, branchElements(some), some.length),
        });
      }
      level = parents;
    }
    return level[0]?.page ?? 0;
  };
  const root = (page: number): Uint8Array => {
    const bytes = Buffer.alloc(16);
    bytes.writeBigUInt64LE(BigInt(page), 0);
    return bytes;
  };
  const inline = (entries: readonly Entry[]): Uint8Array => {
    const head = Buffer.alloc(16);
    head.writeUInt16LE(2, 8);
    head.writeUInt16LE(entries.length, 10);
    return Buffer.concat([root(0), head, leafElements(entries)]);
  };
  const metaEntries: Entry[] = [
    [Buffer.from('consistent_index'), Buffer.alloc(8)],
    ...(compacted === undefined ? [] : [[Buffer.from('finishedCompactRev'), revisionKey(compacted, false)] as const]),
    [Buffer.from('storageVersion'), Buffer.from('3.6.0')],
  ];
  const buckets: Entry[] = [
    [Buffer.from('key'), root(tree(records.map(entryOf)))],
    [Buffer.from('lease'), inline([])],
    [Buffer.from('meta'), inline(metaEntries)],
  ];
  const rootPage = addPage(2, leafElements(buckets, 1), buckets.length);
  // Fills the pages completely.
  const freelist = freelistPages > 0 ? addPage(16, Buffer.alloc(freelistPages * pageSize - 16), 0) : undefined;
  for (let free = 0; free < freePages; free++) pages.push(Buffer.alloc(pageSize, 0xaa));
  const metas = [0, 1].map((id) => metaPage(id, pageSize, rootPage, 2 + pages.length, freelist));
  const file = Buffer.concat([...metas, ...pages]);
  return isSnapshot ? Buffer.concat([file, createHash('sha256').update(file).digest()]) : file;
}

function split(entries: readonly Entry[], pageSize: number): Entry[][] {
  const leaves: Entry[][] = [[]];
  let filled = 16;
  for (const entry of entries) {
    const size = 16 + entry[0].length + entry[1].length;
    if ((leaves.at(-1)?.length ?? 0) >= 2 && filled + size > pageSize * 0.9) {
      leaves.push([]);
      filled = 16;
    }
    leaves.at(-1)?.push(entry);
    filled += size;
  }
  return leaves;
}

function leafElements(entries: readonly Entry[], flags = 0): Buffer {
  const table = Buffer.alloc(16 * entries.length);
  let at = table.length;
  entries.forEach(([key, value], index) => {
    table.writeUInt32LE(flags, 16 * index);
    table.writeUInt32LE(at - 16 * index, 16 * index + 4);
    table.writeUInt32LE(key.length, 16 * index + 8);
    table.writeUInt32LE(value.length, 16 * index + 12);
    at += key.length + value.length;
  });
  return Buffer.concat([table, ...entries.flat()]);
}

function branchElements(children: readonly { readonly first: Uint8Array; readonly page: number }[]): Buffer {
  const table = Buffer.alloc(16 * children.length);
  let at = table.length;
  children.forEach(({ first, page }, index) => {
    table.writeUInt32LE(at - 16 * index, 16 * index);
    table.writeUInt32LE(first.length, 16 * index + 4);
    table.writeBigUInt64LE(BigInt(page), 16 * index + 8);
    at += first.length;
  });
  return Buffer.concat([table, ...children.map(({ first }) => first)]);
}

function metaPage(id: number, pageSize: number, root: number, pages: number, freelist?: number): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeBigUInt64LE(BigInt(id), 0);
  page.writeUInt16LE(4, 8);
  page.writeUInt32LE(0xed0cdaed, 16);
  page.writeUInt32LE(2, 20);
  page.writeUInt32LE(pageSize, 24);
  page.writeBigUInt64LE(BigInt(root), 32);
  page.writeBigUInt64LE(freelist === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(freelist), 48);
  page.writeBigUInt64LE(BigInt(pages), 56);
  page.writeBigUInt64LE(BigInt(10 + id), 64);
  let hash = 0xcbf29ce484222325n;
  for (const byte of page.subarray(16, 72)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  page.writeBigUInt64LE(hash, 72);
  return page;
}

/** Returns a database file in memory. */
export function inMemory(file: Uint8Array): DatabaseFile {
  const read = (into: Uint8Array, at: number): number => {
    const found = file.subarray(at, at + into.length);
    into.set(found);
    return found.length;
  };
  return {
    size: file.length,
    read,
    readAhead: (into, at) => Promise.resolve(read(into, at)),
    sha256: () => createHash('sha256'),
  };
}
