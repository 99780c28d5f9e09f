/** One entry of a bucket of a bbolt file; key and value are views of the file. */
export interface BoltEntry {
  readonly bucket: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Uses of a byte of a file, by how a reader can detect a different value. */
export const byteKinds = {
  /** Free pages, unused ends of pages. */
  unused: 0,
  /** Key names, values, independent numbers: any other value is valid. */
  content: 1,
  /** Headers, tables, lengths, revisions: other values are inconsistent with the rest. */
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
 * Reads a bbolt file, as an independent reference: walks the trees in key order, in memory, without validation.
 * Comparing its hash with that of etcdutl shows that it reads every byte.
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
  const offsetOf = (bytes: Buffer): number => bytes.byteOffset - file.byteOffset;

  const tree = (at: number, leaf: (key: Buffer, value: Buffer) => void, isKeys: boolean): void => {
    const isBranch = file.readUInt16LE(at + 8) === 1;
    mark(at, 16, byteKinds.structure);
    for (let index = 0; index < file.readUInt16LE(at + 10); index++) {
      const element = at + 16 + 16 * index;
      mark(element, 16, byteKinds.structure);
      const from = element + file.readUInt32LE(isBranch ? element : element + 4);
      const keyBytes = file.readUInt32LE(isBranch ? element + 4 : element + 8);
      const key = file.subarray(from, from + keyBytes);
      // The main revision of a key is also in its value.
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
      if (page > 0) mark(offsetOf(head), 8, byteKinds.pointer);
      else mark(offsetOf(head), 8, byteKinds.structure);
      if (isKeys || bucket === 'meta') mark(offsetOf(name), name.length, byteKinds.structure);
      const addEntry = (key: Buffer, value: Buffer): void => {
        entries.push({ bucket, key, value });
        if (isKeys) markMessage(value, offsetOf(value), mark);
      };
      tree(page > 0 ? page * pageSize : offsetOf(head) + 16, addEntry, isKeys);
    },
    false,
  );
  return { buckets, entries, kinds };
}

/** Marks the bytes of a stored key: tags, lengths and the revision are redundant; strings and other numbers are not. */
function markMessage(value: Buffer, offset: number, mark: (from: number, length: number, kind: number) => void): void {
  mark(offset, value.length, byteKinds.structure);
  for (const { field, bytes, number } of fieldsOf(value)) {
    if (bytes) mark(offset + bytes.byteOffset - value.byteOffset, bytes.length, byteKinds.content);
    else if (field !== 3 && number) mark(offset + number.from, number.to - number.from, byteKinds.content);
  }
}

/** One field of a protocol buffer message. */
export interface MessageField {
  readonly field: number;
  /** Size in bytes, including tag and length. */
  readonly size: number;
  readonly bytes?: Buffer;
  readonly number?: { readonly value: bigint; readonly from: number; readonly to: number };
}

/** Parses the fields of a message in order. Throws if it is invalid. */
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
    const start = at;
    const tag = Number(varint());
    const field = tag >> 3;
    const from = at;
    const length = (tag & 7) === 2 ? Number(varint()) : 0;
    if ((tag & 7) === 2) {
      const bytes = message.subarray(at, at + length);
      if (bytes.length < length) throw new Error('the message is truncated');
      at += length;
      fields.push({ field, size: at - start, bytes });
    } else if ((tag & 7) === 0) {
      const value = varint();
      fields.push({ field, size: at - start, number: { value, from, to: at } });
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
 * Computes the hash that `etcdutl snapshot status` prints: CRC-32C of each bucket name, followed by its keys and values.
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
