import { u8 } from '../file/integers';
import { ByteRange } from './value-summary';

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

/** Scans JSON in place without creating values. */
export class JsonScanner {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  /** Name of the current member. */
  readonly name = new ByteRange();

  open(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** Enters the object or array at the current position; returns false if there is none. */
  enter(): boolean {
    this.skipWhitespace();
    const byte = this.current();
    if (byte !== openBrace && byte !== openBracket) return false;
    this.at++;
    return true;
  }

  /** Moves to the value of the next member of an object; returns false after the last, past the object. */
  member(): boolean {
    if (!this.item()) return false;
    if (this.current() !== quote) return this.fail();
    const from = this.at + 1;
    this.string();
    this.name.set(from, this.at - 1);
    this.skipWhitespace();
    if (this.current() !== colon) return this.fail();
    this.at++;
    this.skipWhitespace();
    return true;
  }

  /** Moves to the next item of an array; returns false after the last, past the array. */
  item(): boolean {
    this.skipWhitespace();
    if (this.current() === comma) {
      this.at++;
      this.skipWhitespace();
    }
    const byte = this.current();
    if (byte === closeBrace || byte === closeBracket) {
      this.at++;
      return false;
    }
    return this.at < this.end;
  }

  /** Reads the string at the current position without quotes; skips any other value. */
  text(into: ByteRange): void {
    const from = this.at;
    const isText = this.current() === quote;
    this.skip();
    if (isText) into.set(from + 1, this.at - 1);
  }

  /** Skips the value at the current position. */
  skip(): void {
    let depth = 0;
    do {
      const byte = this.current();
      if (byte === quote) this.string();
      else {
        if (byte === openBrace || byte === openBracket) depth++;
        else if (byte === closeBrace || byte === closeBracket) depth--;
        else if (depth === 0) return this.literal();
        this.at++;
      }
    } while (depth > 0 && this.at < this.end);
  }

  private current(): number {
    return this.at < this.end ? u8(this.bytes, this.at) : 0;
  }

  private fail(): false {
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

  /** Skips a number, true, false or null. */
  private literal(): void {
    while (this.at < this.end) {
      const byte = u8(this.bytes, this.at);
      if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20) return;
      this.at++;
    }
  }

  private skipWhitespace(): void {
    while (this.at < this.end && u8(this.bytes, this.at) <= 0x20) this.at++;
  }
}
