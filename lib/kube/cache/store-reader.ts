/** Read-only view of a store. */
export interface StoreReader<T> {
  /** Returns the value of a key, `namespace/name` or the name. */
  get(key: string): T | undefined;
  /** Lists all values, in no particular order. */
  list(): T[];
  /** Lists all current keys and values, in no particular order. */
  entries(): [string, T][];
  readonly size: number;
  /** Lists the objects with an index value; throws for an unknown index. */
  byIndex(index: string, value: string): T[];
  /** Errors of the objects that cannot be decoded, by key; an entry is removed when its object is fixed or deleted. */
  readonly undecodable: ReadonlyMap<string, unknown>;
  /** Last observed resource version; undefined before the first list. */
  readonly resourceVersion: string | undefined;
}
