import fc from 'fast-check';
import { EventParser, type ServerSentEvent } from '../../lib/contract/server-sent-events';

const parse = (...chunks: readonly (string | Uint8Array)[]): ServerSentEvent[] => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
};

/** Generates text of one line. */
const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n\0]/g, '·'));
const wellFormed = fc.record({ id: line, event: line, data: fc.array(line, { minLength: 1, maxLength: 4 }) });

test('events are read as they were written, regardless of line endings and chunks', () => {
  const ends = fc.array(fc.constantFrom('\n', '\r', '\r\n'), { minLength: 1, maxLength: 7 });
  const chunkSizes = fc.array(fc.nat({ max: 20 }), { maxLength: 60 });
  const written = fc.array(wellFormed, { maxLength: 6 });
  fc.assert(
    fc.property(written, ends, chunkSizes, fc.boolean(), (events, kinds, sizes, marked) => {
      let [turn, before] = [0, ''];
      // An LF right after a CR would be the same line ending, not an empty line.
      const ended = (part: string): string => {
        const kind = kinds[turn++ % kinds.length] ?? '\n';
        before = part === '' && kind === '\n' && before === '\r' ? '\r\n' : kind;
        return part + before;
      };
      const text = events.map(({ id, event, data }) =>
        [`: ${event}`, `id: ${id}`, `event: ${event}`, ...data.map((part) => `data: ${part}`), 'other: x', '']
          .map(ended)
          .join(''),
      );
      const bytes = Buffer.from(`${marked ? '\ufeff' : ''}${text.join('')}`);
      const chunks: Uint8Array[] = [];
      let offset = 0;
      for (const size of sizes) chunks.push(bytes.subarray(offset, (offset += size)));
      expect(parse(...chunks, bytes.subarray(offset))).toEqual(
        events.map(({ id, event, data }) => ({
          id: Buffer.from(id).toString(),
          event: Buffer.from(event).toString() || 'message',
          data: Buffer.from(data.join('\n')).toString(),
        })),
      );
    }),
    { numRuns: 500 },
  );
});

test('arbitrary bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
      expect(Array.isArray(parse(...chunks))).toBe(true);
    }),
  );
});

test.each([
  [
    'the space after the colon is not part of the value',
    'data:  two\n\n',
    [{ id: '', event: 'message', data: ' two' }],
  ],
  ['an event without data is dropped with its type', 'event: a\n\ndata\n\n', [{ id: '', event: 'message', data: '' }]],
  [
    'an id applies to the events after it',
    'id: 4\ndata: a\n\ndata: b\n\n',
    [
      { id: '4', data: 'a' },
      { id: '4', data: 'b' },
    ],
  ],
  ['an id with a NUL is ignored', 'id: 4\nid: 5\0\ndata: a\n\n', [{ id: '4', data: 'a' }]],
  ['an event cut off by the end is dropped', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
])('%s', (_, text, events) => {
  const read = parse(text);
  expect(read).toHaveLength(events.length);
  expect(read).toMatchObject(events);
});

test('the stream sets the reconnection delay', () => {
  const parser = new EventParser();
  parser.push(Buffer.from('retry: soon\nretry: 1500\nretry: -1\n'));
  expect(parser.retry).toBe(1500);
});

test('an event that does not end is not buffered without limit', () => {
  const parser = new EventParser();
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  expect(() => {
    for (let count = 0; count < 18; count++) parser.push(chunk);
  }).toThrow('an event of the stream is too long');
});
