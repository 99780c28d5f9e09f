import { ByteTable } from './byte-table';
import { type StoredRecord } from './stored-record';
import { formats } from './value-facts';
import { type ValueReader } from './value-reader';

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

function widened<C extends Column>(column: C): C {
  const wider = new (column.constructor as new (length: number) => C)(column.length * 2);
  wider.set(column);
  return wider;
}

/**
 * What is known of every key, in columns: about 90 bytes a key and its own length.
 * Revisions may come in any order; what is latest is known at the end.
 */
export class KeyColumns {
  readonly keys = new ByteTable();
  /** Of the latest revision: its number, place, bytes, format, kind, owner, writer and the parts of its value. */
  latest = new Float64Array(1024);
  /** Revision that said kind, owner and writer: the latest that is no tombstone. */
  described = new Float64Array(1024);
  /** 0 where the latest revision is a tombstone. */
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
  /** Of the latest revision that is not after the last compaction: its number and its bytes while it was live. */
  before = new Float64Array(1024);
  beforeBytes = new Uint32Array(1024);
  /** Of all revisions that the file holds. */
  revisions = new Uint32Array(1024);
  allBytes = new Float64Array(1024);
  tombstones = new Uint32Array(1024);
  /** Revisions after the last compaction: all that there were. */
  writes = new Uint32Array(1024);

  get size(): number {
    return this.keys.size;
  }

  /** Takes one revision; `compacted` is the revision of the last compaction. */
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
    // A transaction of etcd writes a key once at most.
    if (!isNew && record.main < latest) {
      // What was deleted keeps the kind that it had, in whatever order its revisions come.
      const isOlder = record.main < (this.described[key] as number);
      if (this.liveBytes[key] === 0 && !record.isTombstone && !isOlder) this.describe(key, record, values);
      return;
    }
    this.latest[key] = record.main;
    this.liveBytes[key] = live;
    this.isLeased[key] = record.isLeased ? 1 : 0;
    // A tombstone says nothing of the object that it ended.
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
    this.format[key] = formats.indexOf(values.facts.format);
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
