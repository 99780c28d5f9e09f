import { u64BigEndian, u8 } from '../file/integers';
import { ProtobufReader } from './protobuf-reader';

const underscore = 0x5f;
const letterT = 0x74;

/** Entry of etcd's bucket `key`: one revision of a key. A scan reuses one instance for all entries. */
export class StoredRecord {
  /** Revision of the transaction. */
  main = 0;
  isTombstone = false;
  /** Byte range of the key. */
  keyFrom = 0;
  keyTo = 0;
  /** Byte range of the value. */
  valueFrom = 0;
  valueTo = 0;
  /** Number of writes since the key was created. */
  version = 0;
  /** Whether the key is attached to a lease. */
  isLeased = false;
  /** Bytes of revision and value, without bbolt's overhead. */
  size = 0;
  /** Last field number of the value. */
  private last = 0;
  private readonly wire = new ProtobufReader();

  /** Reads the entry at an offset; returns its corruption. */
  open(bytes: Uint8Array, at: number, keySize: number, valueSize: number): string | undefined {
    const isTombstone = keySize === 18 && u8(bytes, at + 17) === letterT;
    if ((keySize !== 17 && !isTombstone) || u8(bytes, at + 8) !== underscore) return 'has a key that is not a revision';
    this.main = u64BigEndian(bytes, at);
    this.isTombstone = isTombstone;
    this.size = keySize + valueSize;
    this.keyFrom = this.keyTo = this.valueFrom = this.valueTo = 0;
    this.version = 0;
    this.isLeased = false;
    const revision = this.fields(bytes, at + keySize, at + keySize + valueSize);
    if (this.wire.broken) return 'has a value that is not an etcd KeyValue';
    if (this.keyTo === this.keyFrom) return 'has a value without a key';
    if (isTombstone && this.last !== 1) return 'is a tombstone with fields other than the key';
    if (!isTombstone && revision !== this.main)
      return `has revision ${this.main} in its key and ${revision} in its value`;
    return undefined;
  }

  /** Reads the fields of the value; returns its revision. */
  private fields(bytes: Uint8Array, from: number, to: number): number {
    const { wire } = this;
    let revision = 0;
    this.last = 0;
    wire.open(bytes, from, to);
    while (wire.next()) {
      const { field, type } = wire;
      // etcd writes each field once, in ascending order.
      if (type !== (field === 1 || field === 5 ? 2 : 0) || field > 6 || field <= this.last) wire.broken = true;
      else if (field === 1) [this.keyFrom, this.keyTo] = [wire.from, wire.to];
      else if (field === 3) revision = wire.value;
      else if (field === 4) this.version = wire.value;
      else if (field === 5) [this.valueFrom, this.valueTo] = [wire.from, wire.to];
      else if (field === 6) this.isLeased = wire.value !== 0;
      if (wire.broken) break;
      this.last = field;
    }
    return revision;
  }
}
