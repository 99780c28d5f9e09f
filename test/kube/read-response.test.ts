import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { ApiError } from '../../lib/kube';
import { readLines, readText } from '../../lib/kube/transport/read-response';

const createError = (message: string): ApiError => new ApiError(0, 'Unreachable', message);

/** Returns a stream of the bytes in chunks of the given sizes, in rotation. */
function chunked(bytes: Buffer, sizes: readonly number[]): IncomingMessage {
  const chunks: Buffer[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const to = from + (sizes[turn % sizes.length] ?? 1);
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return Readable.from(chunks, { objectMode: false }) as IncomingMessage;
}

const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'ß', '日', '🚀', '\r', '\u2028'), maxLength: 20 }));
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });

test('lines arrive complete and in order however the bytes are chunked', async () => {
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (lines, cuts) => {
      const seen: string[] = [];
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      await readLines(chunked(bytes, cuts), (line) => seen.push(line), createError);
      expect(seen).toEqual(lines.filter((line) => line !== ''));
    }),
  );
});

test('a string arrives complete however the bytes are chunked', async () => {
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (lines, cuts) => {
      const text = lines.join('\n');
      expect(await readText(chunked(Buffer.from(text), cuts), createError)).toBe(text);
    }),
  );
});

test('an end within a line is a failure after the complete lines before it', async () => {
  const seen: string[] = [];
  const reading = readLines(chunked(Buffer.from('one\ntw'), [3]), (line) => seen.push(line), createError);
  await expect(reading).rejects.toThrow('ended within a line');
  expect(seen).toEqual(['one']);
});
