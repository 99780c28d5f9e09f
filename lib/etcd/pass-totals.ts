import { type StoredRecord } from './stored-record';
import { formats } from './value-facts';
import { type ValueReader } from './value-reader';

/** What all revisions of one writer came to. */
export interface WriterTotal {
  revisions: number;
  bytes: number;
  largest: number;
  /** Revisions after the last compaction. */
  writes: number;
}

/** Sums over all revisions, live or not, that are not kept for each key. */
export class PassTotals {
  records = 0;
  bytes = 0;
  tombstones = 0;
  tombstoneBytes = 0;
  /** The highest revision in the file. */
  revision = 0;
  managedFields = 0;
  lastApplied = 0;
  status = 0;
  /** Revisions after the last compaction, and their bytes. */
  writes = 0;
  writtenBytes = 0;
  readonly byFormat = formats.map((format) => ({ format, records: 0, bytes: 0 }));
  readonly writers: WriterTotal[] = [];
  readonly encryptions: { records: number; bytes: number }[] = [];
  /** Seconds of the latest write, of the latest before the last compaction, and of the earliest after it; 0 where none says. */
  latest = 0;
  latestBefore = 0;
  earliestAfter = 0;

  /** Whether all revisions of the file are in here; known at the end of a pass. */
  isWhole = true;

  constructor(private readonly compacted: number) {}

  add(record: StoredRecord, values: ValueReader): void {
    const { facts } = values;
    this.records++;
    this.bytes += record.size;
    if (record.main > this.revision) this.revision = record.main;
    const isAfter = record.main > this.compacted;
    if (isAfter) {
      this.writes++;
      this.writtenBytes += record.size;
    }
    if (record.isTombstone) {
      this.tombstones++;
      this.tombstoneBytes += record.size;
      return;
    }
    this.managedFields += facts.managedFields;
    this.lastApplied += facts.lastApplied;
    this.status += facts.status;
    const format = this.byFormat[formats.indexOf(facts.format)];
    if (format) {
      format.records++;
      format.bytes += record.size;
    }
    if (values.encryption >= 0) {
      const total = (this.encryptions[values.encryption] ??= { records: 0, bytes: 0 });
      total.records++;
      total.bytes += record.size;
    }
    if (values.writer >= 0) this.wrote(values.writer, record.size, isAfter);
    if (facts.time > 0) this.saw(facts.time, isAfter);
  }

  /** Seconds in which the revisions after the last compaction were written; undefined where no value says when, or some are missing. */
  get seconds(): number | undefined {
    if (!this.isWhole) return undefined;
    const start = this.latestBefore > 0 ? this.latestBefore : this.earliestAfter;
    const seconds = this.latest - start;
    return start > 0 && seconds > 0 ? seconds : undefined;
  }

  private wrote(writer: number, size: number, isAfter: boolean): void {
    const total = (this.writers[writer] ??= { revisions: 0, bytes: 0, largest: 0, writes: 0 });
    total.revisions++;
    total.bytes += size;
    if (size > total.largest) total.largest = size;
    if (isAfter) total.writes++;
  }

  private saw(time: number, isAfter: boolean): void {
    if (time > this.latest) this.latest = time;
    if (!isAfter && time > this.latestBefore) this.latestBefore = time;
    if (isAfter && (this.earliestAfter === 0 || time < this.earliestAfter)) this.earliestAfter = time;
  }
}
