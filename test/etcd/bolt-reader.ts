/** One entry of a bucket of a bbolt file; key and value lie in the file. */
export interface BoltEntry {
  readonly bucket: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Uses of a byte of a file, by how a reader notices a different value. */
export const byteKinds = {
  /** Free pages, unused ends of pages. */
  unused: 0,
  /** Key names, values, independent numbers: any other value is valid. */
  content: 1,
  /** Headers, tables, lengths, revisions: other values contradict the rest. */
  structure: 2,
  /** Page numbers: another value may point to a valid page. */
  pointer: 3,
} as const;

/** Parsed contents of a file. */
export interface BoltFile {
  readonly buckets: readonly string[];
  /** Entries by bucket, in key order. */
  readonly entries: readonly BoltEntry[];
  /** One of `byteKinds` for each byte. */
  readonly kinds: Uint8Array;
}

/**
 * An independent reader of bbolt files, as a reference for the other: it walks the trees in key order, in memory,
 * and validates nothing. The hash that etcdutl computes of the same file shows that it has read every byte.
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
      // The first half of a revision is in its value too.
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

/** In a stored key, tags, lengths and the revision are redundant; texts and other numbers are not. */
function markMessage(value: Buffer, place: number, mark: (from: number, length: number, kind: number) => void): void {
  mark(place, value.length, byteKinds.structure);
  for (const { field, bytes, number } of fieldsOf(value)) {
    if (bytes) mark(place + bytes.byteOffset - value.byteOffset, bytes.length, byteKinds.content);
    else if (field !== 3 && number) mark(place + number.from, number.to - number.from, byteKinds.content);
  }
}

/** One field of a protocol buffer message. */
export interface MessageField {
  readonly field: number;
  /** Size in bytes with tag and length. */
  readonly size: number;
  readonly bytes?: Buffer;
  readonly number?: { readonly value: bigint; readonly from: number; readonly to: number };
}

/** Parses the fields of a message in order. Throws where it is invalid. */
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
      if (bytes.length < length) throw new Error('the message is truncated');
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

/**
 * Computes the hash of `etcdutl snapshot status`: CRC-32C of the name of each bucket, followed by its keys and values.
 */
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
