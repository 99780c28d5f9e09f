import { ByteTable } from './byte-table';
import { type StoredRecord } from '../values/stored-record';
import { valueFormats } from '../values/value-summary';
import { type ValueReader } from '../values/value-reader';

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

function widened<C extends Column>(column: C): C {
  const wider = new (column.constructor as new (length: number) => C)(column.length * 2);
  wider.set(column);
  return wider;
}

/**
 * Column store of the facts of all keys: about 90 bytes per key, plus its length.
 * Revisions may be added in any order.
 */
export class KeyColumns {
  readonly keys = new ByteTable();
  /** Latest revision: its number, bytes, format, kind, owner, writer and the sizes of the parts of its value. */
  latest = new Float64Array(1024);
  /** Revision that provided kind, owner and writer: the latest one that is not a tombstone. */
  described = new Float64Array(1024);
  /** 0 if the latest revision is a tombstone. */
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
  /** Latest revision up to the last compaction: its number and its live bytes. */
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
    if (key >= this.latest.length) this.widen();
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
      // A deleted key keeps its last kind, regardless of the order in which its revisions are added.
      const isOlder = record.main < (this.described[key] as number);
      if (this.liveBytes[key] === 0 && !record.isTombstone && !isOlder) this.describe(key, record, values);
      return;
    }
    this.latest[key] = record.main;
    this.liveBytes[key] = live;
    this.isLeased[key] = record.isLeased ? 1 : 0;
    // A tombstone has no facts about its object.
    if (record.isTombstone && !isNew) {
      this.managedFields[key] = this.lastApplied[key] = this.status[key] = 0;
      return;
    }
    const { facts } = values;
    this.describe(key, record, values);
    this.managedFields[key] = facts.managedFields;
    this.lastApplied[key] = facts.lastApplied;
    this.status[key] = facts.status;
  }

  private describe(key: number, record: StoredRecord, values: ValueReader): void {
    this.described[key] = record.isTombstone ? 0 : record.main;
    this.format[key] = valueFormats.indexOf(values.facts.format);
    this.kind[key] = values.kind;
    this.owner[key] = values.owner;
    this.writer[key] = values.writer;
    this.encryption[key] = values.encryption;
  }

  private widen(): void {
    this.latest = widened(this.latest);
    this.described = widened(this.described);
    this.liveBytes = widened(this.liveBytes);
    this.format = widened(this.format);
    this.isLeased = widened(this.isLeased);
    this.kind = widened(this.kind);
    this.owner = widened(this.owner);
    this.writer = widened(this.writer);
    this.encryption = widened(this.encryption);
    this.managedFields = widened(this.managedFields);
    this.lastApplied = widened(this.lastApplied);
    this.status = widened(this.status);
    this.before = widened(this.before);
    this.beforeBytes = widened(this.beforeBytes);
    this.revisions = widened(this.revisions);
    this.allBytes = widened(this.allBytes);
    this.tombstones = widened(this.tombstones);
    this.writes = widened(this.writes);
  }
}
