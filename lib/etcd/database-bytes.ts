/** The bytes of a database file, wherever they lie. */
export interface DatabaseBytes {
  readonly size: number;
  /** Reads from a place in the file into the whole of a buffer; gives how many bytes there were. */
  read(into: Uint8Array, at: number): number;
  /** The same without waiting for it. */
  readAhead(into: Uint8Array, at: number): Promise<number>;
  /** A SHA-256 to feed the file to, where the checksum of a snapshot is to be compared. @default - it is not compared */
  readonly sha256?: () => { update(bytes: Uint8Array): void; digest(): Uint8Array };
}
