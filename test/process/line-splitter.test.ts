import fc from 'fast-check';
import { LineSplitter } from '../../lib/process';

const chunksOf = (bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] => {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) chunks.push(bytes.subarray(start, (start += size)));
  return [...chunks, bytes.subarray(start)];
};

function split(chunks: readonly Uint8Array[], carriageReturns: boolean): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter({ carriageReturns, onLine: (line) => lines.push(Buffer.from(line).toString()) });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

const text = fc.array(fc.constantFrom('a', 'é', '\n', '\r', '\r\n'), { maxLength: 30 }).map((parts) => parts.join(''));
const sizes = fc.array(fc.nat({ max: 4 }), { maxLength: 20 });

test.each([
  ['LF', false, /\n/],
  ['LF, CR and CRLF', true, /\r\n|\r|\n/],
] as const)('%s end lines wherever chunks are split', (_, carriageReturns, ending) => {
  fc.assert(
    fc.property(text, sizes, (input, chunkSizes) => {
      const expected = input.split(ending);
      if (expected.at(-1) === '') expected.pop();
      expect(split(chunksOf(Buffer.from(input), chunkSizes), carriageReturns)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('drops and reports lines longer than the maximum, and continues with the next one', () => {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = new LineSplitter({
    maxLength: 3,
    onLine: (line) => lines.push(Buffer.from(line).toString()),
    onTooLong: () => tooLong++,
  });
  for (const chunk of ['ab', 'cd', '\nabc\nabcd']) splitter.push(Buffer.from(chunk));
  expect(splitter.pendingLength).toBe(4);
  splitter.end();
  expect([lines, tooLong]).toEqual([['abc'], 2]);
});

test('a chunk can be reused after push returns', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter({ onLine: (line) => lines.push(Buffer.from(line).toString()) });
  const chunk = Buffer.from('ab');
  splitter.push(chunk);
  chunk.fill('x');
  splitter.push(Buffer.from('\n'));
  expect(lines).toEqual(['ab']);
});
