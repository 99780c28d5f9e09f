/** Collects bits, the lowest of each byte first, as deflate has them. */
export class BitWriter {
  private readonly written: number[] = [];
  private held = 0;
  private count = 0;

  /** Writes the lowest `width` bits of a number, the lowest first. */
  bits(value: number, width: number): void {
    for (let bit = 0; bit < width; bit++) this.bit((value >>> bit) & 1);
  }

  /** Writes a Huffman code: the highest bit first. */
  code(value: number, width: number): void {
    for (let bit = width - 1; bit >= 0; bit--) this.bit((value >>> bit) & 1);
  }

  /** Fills the byte that was begun. */
  align(): void {
    while (this.count > 0) this.bit(0);
  }

  /** Writes a number of 32 bits. */
  word(value: number): void {
    for (let byte = 0; byte < 4; byte++) this.bits((value >>> (8 * byte)) & 0xff, 8);
  }

  /** All bytes that were written. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.written);
  }

  private bit(value: number): void {
    this.held |= value << this.count;
    if (++this.count < 8) return;
    this.written.push(this.held);
    this.held = 0;
    this.count = 0;
  }
}
