import fc from 'fast-check';
import { createEventReader, type StreamEvent } from '../../../lib/page/transport/event-stream';

/** Parses a stream that arrives in the given chunks. */
function readInChunks(chunks: readonly Uint8Array[]): StreamEvent[] {
  const read = createEventReader();
  return chunks.flatMap((chunk) => [...read(chunk)]);
}

/** Splits the bytes of a string at the given offsets. */
function splitAt(text: string, offsets: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const boundaries = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort(
    (one, other) => one - other,
  );
  return [0, ...boundaries].map((from, index) => bytes.subarray(from, boundaries[index]));
}

test('skips events of other types', () => {
  const read = createEventReader();
  const stream = 'id: 1\ndata: one\n\nevent: end\ndata: {}\n\nevent: message\ndata: two\n\ndata: three\n\n';
  expect(read(Buffer.from(stream)).map(({ data }) => data)).toEqual(['one', 'two', 'three']);
});

test('returns the same events however the stream is split, with every line ending', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'ü', ':', ' ', '{', '"'), maxLength: 12 });
  const event = fc.record({
    id: fc.option(fc.nat(99), { nil: undefined }),
    data: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(500)), (events, end, offsets) => {
      const text = events
        .map(({ id, data }) =>
          [...(id === undefined ? [] : [`id: ${id}`]), ...data.map((one) => `data: ${one}`), '', ''].join(end),
        )
        .join('');
      const expected = readInChunks([Buffer.from(text)]);
      expect(readInChunks(splitAt(text, offsets))).toEqual(expected);
      expect(expected.map(({ data }) => data)).toEqual(events.map(({ data }) => data.join('\n')));
    }),
  );
});

test('skips heartbeats, retry fields and unfinished events, and keeps an id until the next', () => {
  expect(
    readInChunks(
      [': beat\n\nretry: 5\nevent: message\nid: 7\ndata: one\n\ndata:two\n\n', 'data: cut'].map((text) =>
        Buffer.from(text),
      ),
    ),
  ).toEqual([
    { id: '7', data: 'one' },
    { id: '7', data: 'two' },
  ]);
});
