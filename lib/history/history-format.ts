/** Format of one kind of history: what a record is, and how long it is kept. */
export interface HistoryFormat<T> {
  /** Component label of its ConfigMaps, and prefix of their names. */
  readonly component: string;
  /** Key of the records in a ConfigMap. */
  readonly key: string;
  /**
   * Maximum bytes of the history of a subject, below the 1 MiB limit of an object with its metadata; beyond them, records
   * are shortened, and then the oldest are dropped.
   */
  readonly maxBytes: number;
  /** Reads the records of a subject from JSON, oldest first; undefined if they are invalid. */
  readonly read: (value: unknown, subject: string) => readonly T[] | undefined;
  /** Returns the records of a subject as a value for JSON. */
  readonly write: (records: readonly T[], subject: string) => unknown;
  /** Returns records, oldest first, of which some of the oldest have fewer details; undefined if none has any. @default - none has any */
  readonly shorten?: (records: readonly T[]) => readonly T[] | undefined;
  /** Merges records of several sources, oldest first, without those that are too old. */
  readonly merge: (records: readonly T[]) => readonly T[];
}
