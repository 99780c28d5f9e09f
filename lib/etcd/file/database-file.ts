/** Random access to a database file. */
export interface DatabaseFile {
  readonly size: number;
  /** Fills a buffer from an offset; returns the number of bytes read. */
  read(into: Uint8Array, at: number): number;
  /** Asynchronous variant of `read`. */
  readAhead(into: Uint8Array, at: number): Promise<number>;
  /** Creates a SHA-256 hash to verify the checksum of a snapshot. @default - the checksum is not verified */
  readonly sha256?: () => { update(bytes: Uint8Array): void; digest(): Uint8Array };
}
