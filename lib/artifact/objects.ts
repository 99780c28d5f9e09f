/** One object of a store. */
export interface ObjectEntry {
  readonly key: string;
  /** When it was created, milliseconds since 1970. */
  readonly created: number;
}

/** A place that keeps bytes under keys such as `contents/3f78…`, whatever it is made of. */
export interface Objects {
  /** What it is called in messages. */
  readonly name: string;
  /**
   * Creates an object, whole or not at all, and returns once it would survive a power failure. Where one of the key is
   * there, false: nothing is changed, whoever came first.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** The bytes of an object; undefined where there is none. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Objects whose keys begin with a prefix that ends at a slash, in the order of their keys. */
  list(prefix: string): Promise<readonly ObjectEntry[]>;
  /** Removes an object, if it is there. */
  remove(key: string): Promise<void>;
  /** Removes what publishers that were killed left half done before a moment; says how many. */
  removeDrafts(before: number): Promise<number>;
}

/** Thrown when a store cannot be read or written; the cause says why. */
export class StoreInaccessible extends Error {
  override readonly name = 'StoreInaccessible' as const;
}
