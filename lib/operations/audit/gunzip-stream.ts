import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Output chunk size in bytes. */
const chunkSize = 256 * 1024;

/**
 * Decompresses a stream if it starts with gzip's magic number, otherwise returns it unchanged. Concatenated gzip files are
 * decompressed as one. Throws errors of the stream and of zlib.
 */
export async function* gunzipStream(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const chunks = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const stream = prepend(start, chunks);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* stream;
  // The last stream throws errors of both, and destroys both when the reader stops.
  yield* pipeline(stream, createGunzip({ chunkSize }), () => undefined) as AsyncIterable<Buffer>;
}

async function* prepend(start: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  } finally {
    await chunks.return?.();
  }
}
