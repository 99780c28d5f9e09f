/** Maximum bytes of a frame; responses to this client's requests are far smaller. */
const maxFrame = 4 * 1024 * 1024;

/** Splits received bytes into frames, each of which follows its length in four bytes. */
export class FrameReader {
  #received: Buffer = Buffer.alloc(0);

  /** Adds bytes and yields the complete frames. Throws a RangeError for an invalid length. */
  *take(bytes: Buffer): Generator<Buffer> {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= 4) {
      const length = this.#received.readInt32BE(0);
      if (length < 0 || length > maxFrame) throw new RangeError('invalid frame length');
      if (this.#received.length < 4 + length) return;
      const frame = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      yield frame;
    }
  }
}
