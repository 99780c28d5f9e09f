import { u64BigEndian, u8 } from './integers';
import { Wire } from './wire';

const underscore = 0x5f;
const letterT = 0x74;

/** One entry of etcd's bucket `key`: what a revision did to a key. One object serves all entries of a pass. */
export class StoredRecord {
  /** Revision of the transaction. */
  main = 0;
  isTombstone = false;
  /** Where the key lies. */
  keyFrom = 0;
  keyTo = 0;
  /** Where the value lies. */
  valueFrom = 0;
  valueTo = 0;
  /** How often the key was written since it was created. */
  version = 0;
  /** Whether the key ends with a lease. */
  isLeased = false;
  /** Bytes of the entry: revision and value, without what bbolt adds. */
  size = 0;
  /** Number of the last field of the value. */
  private last = 0;
  private readonly wire = new Wire();

  /** Reads an entry by the places of its key and value; says what is wrong with it. */
  open(bytes: Uint8Array, at: number, keySize: number, valueSize: number): string | undefined {
    const isMarked = keySize === 18 && u8(bytes, at + 17) === letterT;
    if ((keySize !== 17 && !isMarked) || u8(bytes, at + 8) !== underscore) return 'has a key that is no revision';
    this.main = u64BigEndian(bytes, at);
    this.isTombstone = isMarked;
    this.size = keySize + valueSize;
    this.keyFrom = this.keyTo = this.valueFrom = this.valueTo = 0;
    this.version = 0;
    this.isLeased = false;
    const revision = this.fields(bytes, at + keySize, at + keySize + valueSize);
    if (this.wire.broken) return 'has a value that is not of etcd';
    if (this.keyTo === this.keyFrom) return 'has a value without a key';
    if (isMarked && this.last !== 1) return 'is a tombstone with more than a key';
    if (!isMarked && revision !== this.main) return `is revision ${this.main} by its key and ${revision} by its value`;
    return undefined;
  }

  /** The revision that the value names. */
  private fields(bytes: Uint8Array, from: number, to: number): number {
    const { wire } = this;
    let revision = 0;
    this.last = 0;
    wire.open(bytes, from, to);
    while (wire.next()) {
      const { field, type } = wire;
      // etcd writes fields in the order of their numbers, each once.
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
