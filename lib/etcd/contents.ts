import { type Damage } from './damage';
import { type Format } from './value-facts';

/** What one group of keys, or one key, takes of a database. Bytes are those of revision and value, without what bbolt adds. */
export interface Sum {
  readonly name: string;
  /** Keys that exist. */
  readonly objects: number;
  /** Bytes of their latest revisions. */
  readonly live: number;
  /** Bytes held only by history: older revisions, and tombstones. */
  readonly history: number;
  /** Revisions that the file holds, tombstones included. */
  readonly revisions: number;
  readonly tombstones: number;
  /** Bytes of a live object: on average, and of the largest. */
  readonly average: number;
  readonly largest: number;
  /** Bytes of live objects that are managedFields, copies made by `kubectl apply`, status. */
  readonly managedFields: number;
  readonly lastApplied: number;
  readonly status: number;
  /** Revisions since the last compaction, and how many that is in a second where the time is known. */
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** What all revisions of one writer take. */
export interface WriterSum {
  /** As `manager (subresource) of Kind`. */
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

/** A row whose last writer is told. */
export interface ObjectSum extends Sum {
  /** Last writer of the object; of several, the one whose objects have most revisions. Absent where no managedFields name one. */
  readonly lastWriter?: string;
}

/** One resource of one namespace. */
export interface PlaceSum extends ObjectSum {
  readonly resource: string;
  /** Empty for what belongs to none. */
  readonly namespace: string;
}

/** Groups by one property, the largest first; small ones beyond the first thousand are one row, so that sums hold. */
export interface Groups {
  readonly resource: readonly Sum[];
  readonly namespace: readonly Sum[];
  readonly project: readonly Sum[];
  /** Resource and namespace together. */
  readonly place: readonly PlaceSum[];
  readonly kind: readonly Sum[];
  readonly owner: readonly Sum[];
  readonly writer: readonly WriterSum[];
  /** Single keys, those that take most. */
  readonly object: readonly ObjectSum[];
}

/** How the pages of a database are used. */
export interface PageUse {
  readonly size: number;
  /** Pages below the high-water mark: what etcd calls the size of its database. */
  readonly count: number;
  readonly meta: number;
  readonly branch: number;
  readonly leaf: number;
  /** Pages that carry on from the one before. */
  readonly overflow: number;
  readonly freelist: number;
  /** Pages that nothing refers to; in a damaged file also what a page that cannot be read refers to. */
  readonly free: number;
  /** Pages below the mark that the file does not have. */
  readonly missing: number;
}

/** Where the bytes of a file go. They add up: used, unused in pages, and free are the database. */
export interface ByteUse {
  readonly file: number;
  readonly database: number;
  readonly free: number;
  /** Empty ends of pages that are in use. */
  readonly unused: number;
  /** Headers, elements, keys and values. */
  readonly used: number;
  /** Of those, what etcd's revisions and their values are. */
  readonly records: number;
}

/** Revisions and the time that they were written in. */
export interface Revisions {
  /** The newest; of a damaged file, the newest that could be read. */
  readonly current: number;
  /** Of the last compaction; 0 where there was none. */
  readonly compacted: number;
  /** Seconds between the last compaction's revision and the current one, by the times that objects carry; absent where none does, or pages could not be read. */
  readonly seconds?: number;
  /** Revisions since the last compaction. */
  readonly writes: number;
  readonly writesPerSecond?: number;
}

/** What compaction to the current revision and defragmentation would give back, in bytes of the file. */
export interface GiveBack {
  /** What compaction removes: free within the file, for what is written next. So much at least where pages could not be read. */
  readonly compaction: number;
  /** What the database shrinks by; absent where pages could not be read, as nobody knows what they hold. */
  readonly defragmentation?: number;
  /** The same after compaction. */
  readonly both?: number;
}

/** How far a database is from its quota. */
export interface Quota {
  readonly bytes: number;
  readonly used: number;
  /** Growth of what cannot be given back, in bytes a day; absent where the time is not known, is less than a minute, or pages could not be read. */
  readonly growthPerDay?: number;
  /** Days until no defragmentation helps; absent where it does not grow or growth is not known. */
  readonly days?: number;
}

/** A piece of advice: a sentence, and the command that follows from it. */
export interface Advice {
  readonly sentence: string;
  readonly command: string;
}

/** All that a database file holds, added up. */
export interface EtcdContents {
  readonly file: {
    readonly kind: 'database' | 'snapshot';
    /** Whether the SHA-256 at the end of a snapshot fits; `unread` where it was not compared. */
    readonly checksum: 'fits' | 'differs' | 'unread' | 'none';
    readonly storageVersion?: string;
    readonly transaction: number;
  };
  /** False where something is damaged: sums then cover only what could be read. */
  readonly isComplete: boolean;
  readonly damage: {
    readonly count: number;
    readonly pages: readonly Damage[];
    /** Whether every page that the trees refer to could be read: sums are then of all that there is. */
    readonly coversAll: boolean;
    /** Leaves with revisions that could be read, of those that branches refer to which could be read. */
    readonly leavesRead: number;
    readonly leaves: number;
  };
  readonly pages: PageUse;
  readonly bytes: ByteUse;
  readonly revision: Revisions;
  readonly total: Sum;
  readonly tombstoneBytes: number;
  /** Of all revisions, live or not. */
  readonly everywhere: { readonly managedFields: number; readonly lastApplied: number; readonly status: number };
  readonly formats: readonly {
    readonly format: Format;
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
  readonly giveBack: GiveBack;
  readonly quota: Quota;
  readonly advice: readonly Advice[];
}
