/** Writer of big-endian jute records. */
export class RecordWriter {
  readonly #pieces: Buffer[] = [];

  int(value: number): this {
    const piece = Buffer.alloc(4);
    piece.writeInt32BE(value);
    this.#pieces.push(piece);
    return this;
  }

  long(value: bigint): this {
    const piece = Buffer.alloc(8);
    piece.writeBigInt64BE(value);
    this.#pieces.push(piece);
    return this;
  }

  flag(value: boolean): this {
    this.#pieces.push(Buffer.from([value ? 1 : 0]));
    return this;
  }

  bytes(value: Buffer): this {
    this.int(value.length);
    this.#pieces.push(value);
    return this;
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value));
  }

  /** Returns the record preceded by its length, as sent over the wire. */
  frame(): Buffer {
    const body = Buffer.concat(this.#pieces);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length);
    return Buffer.concat([length, body]);
  }
}

/** Reader of jute records; throws a RangeError if the bytes end early. */
export class RecordReader {
  #at = 0;
  constructor(private readonly buffer: Buffer) {}

  int(): number {
    this.#at += 4;
    return this.buffer.readInt32BE(this.#at - 4);
  }

  long(): bigint {
    this.#at += 8;
    return this.buffer.readBigInt64BE(this.#at - 8);
  }

  flag(): boolean {
    this.#at += 1;
    return this.buffer.readUInt8(this.#at - 1) !== 0;
  }

  bytes(): Buffer {
    const length = Math.max(0, this.int());
    if (this.#at + length > this.buffer.length) throw new RangeError('truncated record');
    this.#at += length;
    return this.buffer.subarray(this.#at - length, this.#at);
  }
}
