/** A store, to those who only read. */
export interface StoreReader<T> {
  /** What is kept under a key, `namespace/name` or the name alone. */
  get(key: string): T | undefined;
  /** All that is kept, in no particular order. */
  list(): T[];
  /** All keys and what is kept under them as it is now, in no particular order. */
  entries(): [string, T][];
  readonly size: number;
  /** All that an index function gives a value for; throws where there is no such index. */
  byIndex(index: string, value: string): T[];
  /** Errors of the objects that are set aside, by key; empty again when they are mended or gone. */
  readonly broken: ReadonlyMap<string, unknown>;
  /** The last version that the reflector saw; undefined before the first list. */
  readonly resourceVersion: string | undefined;
}
