/** Listed object of a store. */
export interface ObjectEntry {
  readonly key: string;
  /** Creation time in milliseconds since the Unix epoch. */
  readonly created: number;
}

/** Store of immutable objects by key, such as `contents/3f78…`. */
export interface BlobStore {
  /** Name for messages. */
  readonly name: string;
  /**
   * Creates an object atomically and durably. Returns false, and changes nothing, if the key exists.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Returns the bytes of an object; undefined if it does not exist. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Lists objects under a prefix that ends with a slash, sorted by key. */
  list(prefix: string): Promise<readonly ObjectEntry[]>;
  /** Removes an object if it exists. */
  remove(key: string): Promise<void>;
  /** Removes incomplete writes of interrupted publications that are older than a time; returns their number. */
  removeDrafts(before: number): Promise<number>;
}

/** Thrown when a store cannot be read or written; `cause` is the underlying error. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable' as const;
}
