/** One entry of a bucket of a bbolt file; key and value lie in the file. */
export interface BoltEntry {
  readonly bucket: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** What the bytes of a file are for: what becomes of a reader that finds other ones there. */
export const byteKinds = {
  /** Free pages, empty ends of pages. */
  unused: 0,
  /** Names of keys, values, numbers that nothing else depends on: others are as good. */
  content: 1,
  /** Headers, tables, lengths, revisions: other bytes contradict the rest. */
  structure: 2,
  /** Numbers of pages: another one may lead to a page that is as sound. */
  pointer: 3,
} as const;

/** A file as it was read. */
export interface BoltFile {
  readonly buckets: readonly string[];
  /** Bucket by bucket, in the order of their keys. */
  readonly entries: readonly BoltEntry[];
  /** One of `byteKinds` for each byte. */
  readonly kinds: Uint8Array;
}

/**
 * A second reader of bbolt's files, to measure the other by: it follows the trees in the order of their keys, in memory,
 * and believes all that it reads. That it has seen every byte is told by the hash that etcdutl gives of the same file.
 */
export function readBolt(file: Buffer): BoltFile {
  const pageSize = file.readUInt32LE(24);
  const kinds = new Uint8Array(file.length);
  const mark = (from: number, length: number, kind: number): void => void kinds.fill(kind, from, from + length);
  for (const meta of [0, pageSize]) {
    mark(meta, 10, byteKinds.structure);
    mark(meta + 10, 6, byteKinds.content);
    mark(meta + 16, 64, byteKinds.structure);
  }
  const newer = file.readBigUInt64LE(64) > file.readBigUInt64LE(pageSize + 64) ? 0 : pageSize;
  const buckets: string[] = [];
  const entries: BoltEntry[] = [];
  const placeIn = (bytes: Buffer): number => bytes.byteOffset - file.byteOffset;

  const tree = (at: number, leaf: (key: Buffer, value: Buffer) => void, isKeys: boolean): void => {
    const isBranch = file.readUInt16LE(at + 8) === 1;
    mark(at, 16, byteKinds.structure);
    for (let index = 0; index < file.readUInt16LE(at + 10); index++) {
      const element = at + 16 + 16 * index;
      mark(element, 16, byteKinds.structure);
      const from = element + file.readUInt32LE(isBranch ? element : element + 4);
      const keyBytes = file.readUInt32LE(isBranch ? element + 4 : element + 8);
      const key = file.subarray(from, from + keyBytes);
      // Of a revision the first half is in its value too.
      mark(from, keyBytes, byteKinds.content);
      if (isKeys) mark(from, isBranch || keyBytes === 17 ? 8 : 0, byteKinds.structure);
      if (isBranch) {
        mark(element + 8, 8, byteKinds.pointer);
        tree(Number(file.readBigUInt64LE(element + 8)) * pageSize, leaf, isKeys);
      } else {
        const valueBytes = file.readUInt32LE(element + 12);
        mark(from + keyBytes, valueBytes, byteKinds.content);
        leaf(key, file.subarray(from + keyBytes, from + keyBytes + valueBytes));
      }
    }
  };

  const root = Number(file.readBigUInt64LE(newer + 32));
  tree(
    root * pageSize,
    (name, head) => {
      const bucket = name.toString();
      const page = Number(head.readBigUInt64LE(0));
      const isKeys = bucket === 'key';
      buckets.push(bucket);
      if (page > 0) mark(placeIn(head), 8, byteKinds.pointer);
      else mark(placeIn(head), 8, byteKinds.structure);
      if (isKeys || bucket === 'meta') mark(placeIn(name), name.length, byteKinds.structure);
      const take = (key: Buffer, value: Buffer): void => {
        entries.push({ bucket, key, value });
        if (isKeys) markMessage(value, placeIn(value), mark);
      };
      tree(page > 0 ? page * pageSize : placeIn(head) + 16, take, isKeys);
    },
    false,
  );
  return { buckets, entries, kinds };
}

/** Of a stored key the tags, the lengths and the revision are told by the rest; the texts and the other numbers are not. */
function markMessage(value: Buffer, place: number, mark: (from: number, length: number, kind: number) => void): void {
  mark(place, value.length, byteKinds.structure);
  for (const { field, bytes, number } of fieldsOf(value)) {
    if (bytes) mark(place + bytes.byteOffset - value.byteOffset, bytes.length, byteKinds.content);
    else if (field !== 3 && number) mark(place + number.from, number.to - number.from, byteKinds.content);
  }
}

/** One field of a message of protocol buffers. */
export interface MessageField {
  readonly field: number;
  /** Bytes of it with tag and length. */
  readonly size: number;
  readonly bytes?: Buffer;
  readonly number?: { readonly value: bigint; readonly from: number; readonly to: number };
}

/** The fields of a message in their order. Throws where it is none. */
export function fieldsOf(message: Buffer): readonly MessageField[] {
  const fields: MessageField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const begins = at;
    const tag = Number(varint());
    const field = tag >> 3;
    const from = at;
    const length = (tag & 7) === 2 ? Number(varint()) : 0;
    if ((tag & 7) === 2) {
      const bytes = message.subarray(at, at + length);
      if (bytes.length < length) throw new Error('the message is cut off');
      at += length;
      fields.push({ field, size: at - begins, bytes });
    } else if ((tag & 7) === 0) {
      const value = varint();
      fields.push({ field, size: at - begins, number: { value, from, to: at } });
    } else throw new Error(`a field has wire type ${tag & 7}`);
  }
  return fields;
}

const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** The hash that `etcdutl snapshot status` gives: CRC-32C of the name of each bucket, and of its keys and values behind it. */
export function boltHash({ buckets, entries }: BoltFile): number {
  let crc = 0xffff_ffff;
  let next = 0;
  const add = (bytes: Buffer): void => {
    for (const byte of bytes) crc = (castagnoli[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  };
  for (const bucket of buckets) {
    add(Buffer.from(bucket));
    for (; entries[next]?.bucket === bucket; next++) {
      add((entries[next] as BoltEntry).key);
      add((entries[next] as BoltEntry).value);
    }
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
