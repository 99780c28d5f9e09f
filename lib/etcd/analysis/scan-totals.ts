import { type StoredRecord } from '../values/stored-record';
import { valueFormats } from '../values/value-summary';
import { type ValueReader } from '../values/value-reader';

/** Totals of one writer. */
export interface WriterTotal {
  revisions: number;
  bytes: number;
  largest: number;
  /** Revisions after the last compaction. */
  writes: number;
}

/** Totals of all revisions, live and history. */
export class ScanTotals {
  records = 0;
  bytes = 0;
  tombstones = 0;
  tombstoneBytes = 0;
  /** Highest revision. */
  revision = 0;
  managedFields = 0;
  lastApplied = 0;
  status = 0;
  /** Revisions after the last compaction, and their bytes. */
  writes = 0;
  writtenBytes = 0;
  readonly byFormat = valueFormats.map((format) => ({ format, records: 0, bytes: 0 }));
  readonly writers: WriterTotal[] = [];
  readonly encryptions: { records: number; bytes: number }[] = [];
  /** Times of the latest write, of the latest before the last compaction and of the earliest after it, in seconds; 0 if unknown. */
  latest = 0;
  latestBefore = 0;
  earliestAfter = 0;

  /** Whether the totals cover all revisions; known at the end of a scan. */
  isWhole = true;

  constructor(private readonly compacted: number) {}

  add(record: StoredRecord, values: ValueReader): void {
    const { summary } = values;
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
    this.managedFields += summary.managedFields;
    this.lastApplied += summary.lastApplied;
    this.status += summary.status;
    const format = this.byFormat[valueFormats.indexOf(summary.format)];
    if (format) {
      format.records++;
      format.bytes += record.size;
    }
    if (values.encryption >= 0) {
      const total = (this.encryptions[values.encryption] ??= { records: 0, bytes: 0 });
      total.records++;
      total.bytes += record.size;
    }
    if (values.writer >= 0) this.addWriter(values.writer, record.size, isAfter);
    if (summary.time > 0) this.addTime(summary.time, isAfter);
  }

  /** Seconds in which the revisions after the last compaction were written; undefined without timestamps, or if pages are unreadable. */
  get seconds(): number | undefined {
    if (!this.isWhole) return undefined;
    const start = this.latestBefore > 0 ? this.latestBefore : this.earliestAfter;
    const seconds = this.latest - start;
    return start > 0 && seconds > 0 ? seconds : undefined;
  }

  private addWriter(writer: number, size: number, isAfter: boolean): void {
    const total = (this.writers[writer] ??= { revisions: 0, bytes: 0, largest: 0, writes: 0 });
    total.revisions++;
    total.bytes += size;
    if (size > total.largest) total.largest = size;
    if (isAfter) total.writes++;
  }

  private addTime(time: number, isAfter: boolean): void {
    if (time > this.latest) this.latest = time;
    if (!isAfter && time > this.latestBefore) this.latestBefore = time;
    if (isAfter && (this.earliestAfter === 0 || time < this.earliestAfter)) this.earliestAfter = time;
  }
}
