import { u8 } from '../file/integers';

/** Reads the protobuf wire format in place; one object serves many messages. */
export class ProtobufReader {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  /** Current field number. */
  field = 0;
  /** Wire type: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  type = 0;
  /** Value of a varint; exact below 2^53. */
  value = 0;
  /** Byte range of a length-delimited field. */
  from = 0;
  to = 0;
  /** Offset of the tag of the field. */
  tag = 0;
  /** Whether the bytes are not a valid message. */
  broken = false;

  /** Starts reading the message between two offsets. */
  open(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
    this.broken = false;
  }

  /** Reads the next field; returns false at the end, or if the message is invalid. */
  next(): boolean {
    if (this.at >= this.end) return false;
    this.tag = this.at;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.type = tag & 7;
    if (this.field === 0) return this.fail();
    if (this.type === 0) this.value = this.varint();
    else if (this.type === 2) {
      const length = this.varint();
      this.from = this.at;
      this.to = this.at + length;
      this.at = this.to;
    } else if (this.type === 1) this.at += 8;
    else if (this.type === 5) this.at += 4;
    else return this.fail();
    return this.broken || this.at > this.end ? this.fail() : true;
  }

  private fail(): boolean {
    this.broken = true;
    this.at = this.end;
    return false;
  }

  /** Reads a varint, as in a packed list; values above 2^53, including all negative ones, are rounded. */
  varint(): number {
    const first = this.at < this.end ? u8(this.bytes, this.at++) : 0x80;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let scale = 128;
    for (let count = 1; count < 10 && this.at < this.end; count++) {
      const byte = u8(this.bytes, this.at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    this.broken = true;
    return value;
  }
}
