import { BitWriter } from './bit-writer';
import { writeBlock } from './deflate';
import { repetitions } from './repetitions';

/**
 * Compresses text in gzip format (RFC 1952): one deflate block, without name and time.
 *
 * zlib is not used, because its output differs between versions and processors: the launch template would change, and
 * machines would be replaced, depending on where the plan is computed. This output depends on the text only.
 */
export function gzip(text: string): Uint8Array {
  const data = new TextEncoder().encode(text);
  const writer = new BitWriter();
  // Deflate, no flags, no time, no hint, unknown operating system.
  for (const byte of [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]) writer.bits(byte, 8);
  writeBlock(repetitions(data), writer);
  writer.align();
  writer.word(crc32(data));
  writer.word(data.length);
  return writer.bytes();
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
