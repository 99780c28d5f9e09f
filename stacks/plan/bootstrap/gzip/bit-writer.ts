/** Writer of a bit stream, least significant bit of each byte first, as deflate requires. */
export class BitWriter {
  private readonly written: number[] = [];
  private currentByte = 0;
  private bitCount = 0;

  /** Writes the lowest `width` bits of a number, least significant bit first. */
  bits(value: number, width: number): void {
    for (let bit = 0; bit < width; bit++) this.bit((value >>> bit) & 1);
  }

  /** Writes a Huffman code, most significant bit first. */
  code(value: number, width: number): void {
    for (let bit = width - 1; bit >= 0; bit--) this.bit((value >>> bit) & 1);
  }

  /** Pads the current byte with zero bits. */
  align(): void {
    while (this.bitCount > 0) this.bit(0);
  }

  /** Writes a 32-bit number. */
  word(value: number): void {
    for (let byte = 0; byte < 4; byte++) this.bits((value >>> (8 * byte)) & 0xff, 8);
  }

  /** Returns all written bytes. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.written);
  }

  private bit(value: number): void {
    this.currentByte |= value << this.bitCount;
    if (++this.bitCount < 8) return;
    this.written.push(this.currentByte);
    this.currentByte = 0;
    this.bitCount = 0;
  }
}
