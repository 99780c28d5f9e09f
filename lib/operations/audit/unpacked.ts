import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes that are unpacked at once. */
const pieceSize = 256 * 1024;

/**
 * The bytes of a stream, unpacked where its first two are those of gzip, a piece at a time; several packed files that
 * follow one another are read as one. Throws what the stream or zlib says of it.
 */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const pieces = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await pieces.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = startingWith(start, pieces);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* whole;
  // What goes wrong on either side is thrown by the last of them; who stops reading ends both.
  yield* pipeline(whole, createGunzip({ chunkSize: pieceSize }), () => undefined) as AsyncIterable<Buffer>;
}

async function* startingWith(start: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  } finally {
    await pieces.return?.();
  }
}
