import { type Corruption } from '../file/corruption-list';
import { type ValueFormat } from '../values/value-summary';

/** Space of a key or a group of keys. Bytes are those of revision and value, without bbolt's overhead. */
export interface Sum {
  readonly name: string;
  /** Keys that exist. */
  readonly objects: number;
  /** Bytes of their latest revisions. */
  readonly live: number;
  /** Bytes of older revisions and tombstones. */
  readonly history: number;
  /** Revisions in the file, including tombstones. */
  readonly revisions: number;
  readonly tombstones: number;
  /** Bytes of the average and the largest live object. */
  readonly average: number;
  readonly largest: number;
  /** Bytes of managedFields, last-applied annotations and status in live objects. */
  readonly managedFields: number;
  readonly lastApplied: number;
  readonly status: number;
  /** Revisions since the last compaction, and their rate if the time is known. */
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** Space of all revisions of one writer. */
export interface WriterSum {
  /** `manager (subresource) of Kind`. */
  readonly name: string;
  readonly manager: string;
  readonly subresource: string;
  readonly kind: string;
  readonly objects: number;
  readonly live: number;
  readonly history: number;
  readonly revisions: number;
  readonly largest: number;
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** Row with its last writer. */
export interface ObjectSum extends Sum {
  /** Last writer; of several objects, the one whose objects have most revisions. Absent if managedFields name none. */
  readonly lastWriter?: string;
}

/** Row of one resource in one namespace. */
export interface ResourceByNamespaceSum extends ObjectSum {
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
}

/** Rows per property, the largest first; those beyond the first thousand are one row, so that totals hold. */
export interface Groups {
  readonly resource: readonly Sum[];
  readonly namespace: readonly Sum[];
  readonly project: readonly Sum[];
  /** Rows per resource and namespace. */
  readonly resourceByNamespace: readonly ResourceByNamespaceSum[];
  readonly kind: readonly Sum[];
  readonly owner: readonly Sum[];
  readonly writer: readonly WriterSum[];
  /** Largest single keys. */
  readonly object: readonly ObjectSum[];
}

/** Use of the pages of a database. */
export interface PageUse {
  readonly size: number;
  /** Pages below the high-water mark, which etcd reports as database size. */
  readonly count: number;
  readonly meta: number;
  readonly branch: number;
  readonly leaf: number;
  /** Overflow pages. */
  readonly overflow: number;
  readonly freelist: number;
  /** Unreferenced pages; in a corrupt file also those that an unreadable page refers to. */
  readonly free: number;
  /** Pages below the mark that the file lacks. */
  readonly missing: number;
}

/** Use of the bytes of a file; used, unused and free add up to the database. */
export interface ByteUse {
  readonly file: number;
  readonly database: number;
  readonly free: number;
  /** Slack of pages in use. */
  readonly unused: number;
  /** Headers, elements, keys and values. */
  readonly used: number;
  /** Share of `used` that is revisions and values. */
  readonly records: number;
}

/** Revisions and their time span. */
export interface Revisions {
  /** Latest revision; in a corrupt file the latest readable one. */
  readonly current: number;
  /** Revision of the last compaction; 0 if there was none. */
  readonly compacted: number;
  /** Seconds between the last compaction's revision and the current one, by timestamps in objects; absent without timestamps, or if pages are unreadable. */
  readonly seconds?: number;
  /** Revisions since the last compaction. */
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** Bytes that compaction to the current revision and defragmentation would reclaim. */
export interface ReclaimableSpace {
  /** Bytes that compaction frees within the file; a minimum if pages are unreadable. */
  readonly compaction: number;
  /** Bytes by which defragmentation shrinks the file; absent if pages are unreadable. */
  readonly defragmentation?: number;
  /** Bytes by which defragmentation after compaction shrinks the file; absent if pages are unreadable. */
  readonly both?: number;
}

/** Use of the backend quota. */
export interface EtcdQuota {
  readonly bytes: number;
  readonly used: number;
  /** Growth per day in bytes, without reclaimable space; absent if the time span is unknown or under a minute, or pages are unreadable. */
  readonly growthPerDay?: number;
  /** Days until defragmentation no longer helps; absent without known growth. */
  readonly days?: number;
}

/** Advice: a sentence and a command. */
export interface Advice {
  readonly sentence: string;
  readonly command: string;
}

/** Summed contents of a database file. */
export interface EtcdContents {
  readonly file: {
    readonly kind: 'database' | 'snapshot';
    /** Result of the SHA-256 check of a snapshot; `skipped` if it was not computed. */
    readonly checksum: 'match' | 'mismatch' | 'skipped' | 'none';
    readonly storageVersion?: string;
    readonly transaction: number;
  };
  /** Whether the file is free of corruption; otherwise sums cover only readable pages. */
  readonly isComplete: boolean;
  readonly damage: {
    readonly count: number;
    readonly pages: readonly Corruption[];
    /** Whether every referenced page is readable, so that the sums are complete. */
    readonly coversAll: boolean;
    /** Readable leaves with revisions, of those that readable branches refer to. */
    readonly leavesRead: number;
    readonly leaves: number;
  };
  readonly pages: PageUse;
  readonly bytes: ByteUse;
  readonly revision: Revisions;
  readonly total: Sum;
  readonly tombstoneBytes: number;
  /** Bytes in all revisions, live or not. */
  readonly allRevisions: { readonly managedFields: number; readonly lastApplied: number; readonly status: number };
  readonly formats: readonly {
    readonly format: ValueFormat;
    readonly records: number;
    readonly bytes: number;
    readonly objects: number;
  }[];
  readonly encryption: readonly {
    readonly name: string;
    readonly records: number;
    readonly bytes: number;
    readonly objects: number;
  }[];
  readonly leases: { readonly count: number; readonly keys: number; readonly bytes: number };
  readonly alarms: number;
  readonly buckets: readonly { readonly name: string; readonly entries: number; readonly bytes: number }[];
  readonly by: Groups;
  readonly reclaimable: ReclaimableSpace;
  readonly quota: EtcdQuota;
  readonly advice: readonly Advice[];
}
