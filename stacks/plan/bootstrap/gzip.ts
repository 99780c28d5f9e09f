import { BitWriter } from './bit-writer';

/**
 * Compresses text as gzip does.
 *
 * Ours, because the bytes of zlib differ between its versions and between processors: a launch template would change,
 * and machines be replaced, because somebody else's computer made it. The same text always gives the same bytes here.
 * It is one block with fixed codes (RFC 1951, RFC 1952), about a tenth larger than what gzip makes of our files.
 */
export function gzip(text: string): Uint8Array {
  const data = new TextEncoder().encode(text);
  const writer = new BitWriter();
  // Compressed by deflate, no flags, no time, no hint, no operating system.
  for (const byte of [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]) writer.bits(byte, 8);
  writer.bits(0b011, 3);
  writeTokens(data, writer);
  writer.code(0, 7);
  writer.align();
  writer.word(crc32(data));
  writer.word(data.length);
  return writer.bytes();
}

const shortest = 3;
const longest = 258;
const farthest = 32_768;
/** Earlier places that are looked at for the longest match. */
const tries = 256;

/** Writes literals and references to what came before, the longest that is found. */
function writeTokens(data: Uint8Array, writer: BitWriter): void {
  const newest = new Map<number, number>();
  const before = new Int32Array(data.length).fill(-1);
  const note = (at: number): void => {
    if (at + shortest > data.length) return;
    const key = keyAt(data, at);
    before[at] = newest.get(key) ?? -1;
    newest.set(key, at);
  };
  for (let at = 0; at < data.length;) {
    note(at);
    const { length, distance } = longestMatch(data, before, at);
    if (length < shortest) {
      writeLiteral(data[at] ?? 0, writer);
      at++;
      continue;
    }
    writeReference(length, distance, writer);
    for (let next = at + 1; next < at + length; next++) note(next);
    at += length;
  }
}

const keyAt = (data: Uint8Array, at: number): number =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

function longestMatch(data: Uint8Array, before: Int32Array, at: number): { length: number; distance: number } {
  const limit = Math.min(longest, data.length - at);
  let best = { length: 0, distance: 0 };
  let from = before[at] ?? -1;
  for (let tried = 0; from >= 0 && at - from <= farthest && tried < tries; tried++) {
    let length = 0;
    while (length < limit && data[from + length] === data[at + length]) length++;
    if (length > best.length) best = { length, distance: at - from };
    from = before[from] ?? -1;
  }
  return best;
}

function writeLiteral(byte: number, writer: BitWriter): void {
  if (byte < 144) writer.code(0x30 + byte, 8);
  else writer.code(0x190 + byte - 144, 9);
}

function writeReference(length: number, distance: number, writer: BitWriter): void {
  const [symbol, lengthBits, lengthRest] = lengthSymbol(length);
  if (symbol < 280) writer.code(symbol - 256, 7);
  else writer.code(0xc0 + symbol - 280, 8);
  writer.bits(lengthRest, lengthBits);
  const [code, distanceBits, distanceRest] = classOf(distance - 1, 1);
  writer.code(code, 5);
  writer.bits(distanceRest, distanceBits);
}

const lengthSymbol = (length: number): readonly [number, number, number] => {
  if (length === longest) return [285, 0, 0];
  const [code, bits, rest] = classOf(length - shortest, 2);
  return [257 + code, bits, rest];
};

/** Class of a number, the count of its further bits, and these; `width` bits after the first one belong to the class. */
function classOf(value: number, width: number): readonly [number, number, number] {
  const steps = 1 << width;
  if (value < steps) return [value, 0, 0];
  const bits = 31 - Math.clz32(value) - width;
  const code = (bits << width) + (value >> bits);
  return [code, bits, value & ((1 << bits) - 1)];
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
