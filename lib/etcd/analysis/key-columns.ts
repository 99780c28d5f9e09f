import { ByteTable } from './byte-table';
import { type StoredRecord } from '../values/stored-record';
import { valueFormats } from '../values/value-summary';
import { type ValueReader } from '../values/value-reader';

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

function doubled<C extends Column>(column: C): C {
  const wider = new (column.constructor as new (length: number) => C)(column.length * 2);
  wider.set(column);
  return wider;
}

/**
 * Column store with the properties of all keys: about 90 bytes per key, plus its length.
 * Revisions can be added in any order.
 */
export class KeyColumns {
  readonly keys = new ByteTable();
  /** Number of the latest revision; the columns below describe it. */
  latest = new Float64Array(1024);
  /** Revision from which kind, owner and writer were read: the latest one that is not a tombstone. */
  described = new Float64Array(1024);
  /** Bytes of the latest revision; 0 for a tombstone. */
  liveBytes = new Uint32Array(1024);
  format = new Uint8Array(1024);
  isLeased = new Uint8Array(1024);
  kind = new Int32Array(1024);
  owner = new Int32Array(1024);
  writer = new Int32Array(1024);
  encryption = new Int32Array(1024);
  managedFields = new Uint32Array(1024);
  lastApplied = new Uint32Array(1024);
  status = new Uint32Array(1024);
  /** Number and live bytes of the latest revision up to the last compaction. */
  before = new Float64Array(1024);
  beforeBytes = new Uint32Array(1024);
  /** Number of revisions in the file, and their bytes. */
  revisions = new Uint32Array(1024);
  allBytes = new Float64Array(1024);
  tombstones = new Uint32Array(1024);
  /** Number of revisions after the last compaction. */
  writes = new Uint32Array(1024);

  get size(): number {
    return this.keys.size;
  }

  /** Adds one revision; `compacted` is the revision of the last compaction. */
  add(bytes: Uint8Array, record: StoredRecord, values: ValueReader, compacted: number): void {
    const key = this.keys.intern(bytes, record.keyFrom, record.keyTo);
    if (key >= this.latest.length) this.grow();
    const isNew = this.revisions[key] === 0;
    this.revisions[key] = (this.revisions[key] as number) + 1;
    this.allBytes[key] = (this.allBytes[key] as number) + record.size;
    if (record.isTombstone) this.tombstones[key] = (this.tombstones[key] as number) + 1;
    const live = record.isTombstone ? 0 : record.size;
    if (record.main > compacted) this.writes[key] = (this.writes[key] as number) + 1;
    else if (record.main >= (this.before[key] as number)) {
      this.before[key] = record.main;
      this.beforeBytes[key] = live;
    }
    const latest = this.latest[key] as number;
    // An etcd transaction writes a key at most once.
    if (!isNew && record.main < latest) {
      // A deleted key keeps the kind of its last object, regardless of the order in which revisions are added.
      const isOlder = record.main < (this.described[key] as number);
      if (this.liveBytes[key] === 0 && !record.isTombstone && !isOlder) this.describe(key, record, values);
      return;
    }
    this.latest[key] = record.main;
    this.liveBytes[key] = live;
    this.isLeased[key] = record.isLeased ? 1 : 0;
    // A tombstone does not describe its object.
    if (record.isTombstone && !isNew) {
      this.managedFields[key] = this.lastApplied[key] = this.status[key] = 0;
      return;
    }
    const { summary } = values;
    this.describe(key, record, values);
    this.managedFields[key] = summary.managedFields;
    this.lastApplied[key] = summary.lastApplied;
    this.status[key] = summary.status;
  }

  private describe(key: number, record: StoredRecord, values: ValueReader): void {
    this.described[key] = record.isTombstone ? 0 : record.main;
    this.format[key] = valueFormats.indexOf(values.summary.format);
    this.kind[key] = values.kind;
    this.owner[key] = values.owner;
    this.writer[key] = values.writer;
    this.encryption[key] = values.encryption;
  }

  private grow(): void {
    this.latest = doubled(this.latest);
    this.described = doubled(this.described);
    this.liveBytes = doubled(this.liveBytes);
    this.format = doubled(this.format);
    this.isLeased = doubled(this.isLeased);
    this.kind = doubled(this.kind);
    this.owner = doubled(this.owner);
    this.writer = doubled(this.writer);
    this.encryption = doubled(this.encryption);
    this.managedFields = doubled(this.managedFields);
    this.lastApplied = doubled(this.lastApplied);
    this.status = doubled(this.status);
    this.before = doubled(this.before);
    this.beforeBytes = doubled(this.beforeBytes);
    this.revisions = doubled(this.revisions);
    this.allBytes = doubled(this.allBytes);
    this.tombstones = doubled(this.tombstones);
    this.writes = doubled(this.writes);
  }
}
