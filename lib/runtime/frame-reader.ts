/** Longer frames are no answers to what is asked here. */
const maxFrame = 4 * 1024 * 1024;

/** Cuts what arrives into frames: each comes behind its length, in four bytes. */
export class FrameReader {
  #received: Buffer = Buffer.alloc(0);

  /** Takes bytes in and gives the frames that are whole, one by one. Throws a RangeError for a length that none can have. */
  *take(bytes: Buffer): Generator<Buffer> {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= 4) {
      const length = this.#received.readInt32BE(0);
      if (length < 0 || length > maxFrame) throw new RangeError('an impossible length');
      if (this.#received.length < 4 + length) return;
      const frame = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      yield frame;
    }
  }
}
