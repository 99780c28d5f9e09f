import { u8 } from './integers';
import { Stretch } from './value-facts';

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

/** Steps through JSON in place, without making values of it. */
export class JsonScan {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  /** Name of the member that was stepped to. */
  readonly name = new Stretch();

  open(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** Goes into the object or array here; false where there is none. */
  enter(): boolean {
    this.blank();
    const byte = this.here();
    if (byte !== openBrace && byte !== openBracket) return false;
    this.at++;
    return true;
  }

  /** Steps to the value of the next member of an object; false after the last, behind the object. */
  member(): boolean {
    if (!this.item()) return false;
    if (this.here() !== quote) return this.stop();
    const from = this.at + 1;
    this.string();
    this.name.set(from, this.at - 1);
    this.blank();
    if (this.here() !== colon) return this.stop();
    this.at++;
    this.blank();
    return true;
  }

  /** Steps to the next item of an array; false after the last, behind the array. */
  item(): boolean {
    this.blank();
    if (this.here() === comma) {
      this.at++;
      this.blank();
    }
    const byte = this.here();
    if (byte === closeBrace || byte === closeBracket) {
      this.at++;
      return false;
    }
    return this.at < this.end;
  }

  /** Takes the text here, without its quotes; passes over anything else. */
  text(into: Stretch): void {
    const from = this.at;
    const isText = this.here() === quote;
    this.skip();
    if (isText) into.set(from + 1, this.at - 1);
  }

  /** Passes over the value here. */
  skip(): void {
    let depth = 0;
    do {
      const byte = this.here();
      if (byte === quote) this.string();
      else {
        if (byte === openBrace || byte === openBracket) depth++;
        else if (byte === closeBrace || byte === closeBracket) depth--;
        else if (depth === 0) return this.word();
        this.at++;
      }
    } while (depth > 0 && this.at < this.end);
  }

  private here(): number {
    return this.at < this.end ? u8(this.bytes, this.at) : 0;
  }

  private stop(): false {
    this.at = this.end;
    return false;
  }

  private string(): void {
    const { bytes, end } = this;
    let at = this.at + 1;
    while (at < end) {
      const byte = u8(bytes, at);
      if (byte === quote) break;
      at += byte === backslash ? 2 : 1;
    }
    this.at = Math.min(end, at + 1);
  }

  /** A number, true, false or null. */
  private word(): void {
    while (this.at < this.end) {
      const byte = u8(this.bytes, this.at);
      if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20) return;
      this.at++;
    }
  }

  private blank(): void {
    while (this.at < this.end && u8(this.bytes, this.at) <= 0x20) this.at++;
  }
}
