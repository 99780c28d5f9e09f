import { type Corruption } from '../file/corruption-list';
import { type ValueFormat } from '../values/value-summary';

/** Space used by a key or a group of keys: bytes of revisions and values, without bbolt's overhead. */
export interface Sum {
  readonly name: string;
  /** Number of existing keys. */
  readonly objects: number;
  /** Bytes of their latest revisions. */
  readonly live: number;
  /** Bytes of older revisions and tombstones. */
  readonly history: number;
  /** Number of revisions in the file, including tombstones. */
  readonly revisions: number;
  readonly tombstones: number;
  /** Average and maximum bytes of live objects. */
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

/** Space used by all revisions of a writer. */
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
  /** Last writer; of several objects, the one whose objects have the most revisions. Absent if managedFields do not show it. */
  readonly lastWriter?: string;
}

/** Row of one resource in one namespace. */
export interface ResourceByNamespaceSum extends ObjectSum {
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
}

/** Rows per property, the largest first; all rows beyond the first thousand are summed in one row. */
export interface Groups {
  readonly resource: readonly Sum[];
  readonly namespace: readonly Sum[];
  readonly project: readonly Sum[];
  /** Rows by resource and namespace. */
  readonly resourceByNamespace: readonly ResourceByNamespaceSum[];
  readonly kind: readonly Sum[];
  readonly owner: readonly Sum[];
  readonly writer: readonly WriterSum[];
  /** Largest single keys. */
  readonly object: readonly ObjectSum[];
}

/** Page usage of a database. */
export interface PageUse {
  readonly size: number;
  /** Pages below the high-water mark; their size is the database size that etcd reports. */
  readonly count: number;
  readonly meta: number;
  readonly branch: number;
  readonly leaf: number;
  /** Overflow pages. */
  readonly overflow: number;
  readonly freelist: number;
  /** Unreferenced pages; in a corrupt file also those referenced by unreadable pages. */
  readonly free: number;
  /** Pages below the high-water mark that the file lacks. */
  readonly missing: number;
}

/** Byte usage of a file; used, unused and free add up to the database. */
export interface ByteUse {
  readonly file: number;
  readonly database: number;
  readonly free: number;
  /** Unused space in pages in use. */
  readonly unused: number;
  /** Headers, elements, keys and values. */
  readonly used: number;
  /** Part of `used`: bytes of revisions and values. */
  readonly records: number;
}

/** Revisions and their time span. */
export interface Revisions {
  /** Latest revision; in a corrupt file the latest readable one. */
  readonly current: number;
  /** Revision of the last compaction; 0 if there was none. */
  readonly compacted: number;
  /** Seconds between the revision of the last compaction and the current one, from timestamps in objects; absent without timestamps, or if pages are unreadable. */
  readonly seconds?: number;
  /** Revisions since the last compaction. */
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** Bytes that compaction to the current revision and defragmentation would reclaim. */
export interface ReclaimableSpace {
  /** Bytes that compaction frees within the file; a lower bound if pages are unreadable. */
  readonly compaction: number;
  /** Bytes by which defragmentation shrinks the file; absent if pages are unreadable. */
  readonly defragmentation?: number;
  /** Bytes by which defragmentation after compaction shrinks the file; absent if pages are unreadable. */
  readonly both?: number;
}

/** Usage of the backend quota. */
export interface EtcdQuota {
  readonly bytes: number;
  readonly used: number;
  /** Growth per day in bytes, without reclaimable space; absent if the time span is unknown or shorter than a minute, or if pages are unreadable. */
  readonly growthPerDay?: number;
  /** Days until defragmentation no longer frees enough space; absent if growth is unknown or not positive. */
  readonly days?: number;
}

/** A recommendation and a command for it. */
export interface Advice {
  readonly sentence: string;
  readonly command: string;
}

/** Summarized contents of a database file. */
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
    /** Numbers of readable leaves with revisions, and of those referenced by readable branches. */
    readonly leavesRead: number;
    readonly leaves: number;
  };
  readonly pages: PageUse;
  readonly bytes: ByteUse;
  readonly revision: Revisions;
  readonly total: Sum;
  readonly tombstoneBytes: number;
  /** Bytes in all revisions, live and history. */
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
