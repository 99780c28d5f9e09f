import fc from 'fast-check';
import { EventParser, type ServerSentEvent } from '../../lib/contract/server-sent-events';

const parse = (...pieces: readonly (string | Uint8Array)[]): ServerSentEvent[] => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(typeof piece === 'string' ? Buffer.from(piece) : piece));
};

/** Text of one line. */
const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n\0]/g, '·'));
const wellFormed = fc.record({ id: line, event: line, data: fc.array(line, { minLength: 1, maxLength: 4 }) });

test('what was written as events is read as the same events, however lines end and wherever bytes are cut', () => {
  const ends = fc.array(fc.constantFrom('\n', '\r', '\r\n'), { minLength: 1, maxLength: 7 });
  const cuts = fc.array(fc.nat({ max: 20 }), { maxLength: 60 });
  const written = fc.array(wellFormed, { maxLength: 6 });
  fc.assert(
    fc.property(written, ends, cuts, fc.boolean(), (events, kinds, sizes, marked) => {
      let [turn, before] = [0, ''];
      // An LF at once after a CR would be the same end, not the end of an empty line.
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
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const size of sizes) pieces.push(bytes.subarray(at, (at += size)));
      expect(parse(...pieces, bytes.subarray(at))).toEqual(
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

test('any bytes at all are taken without an error', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      expect(Array.isArray(parse(...pieces))).toBe(true);
    }),
  );
});

test.each([
  ['one space after the colon is not of the value', 'data:  two\n\n', [{ id: '', event: 'message', data: ' two' }]],
  [
    'an event without data is none, and its kind is forgotten',
    'event: a\n\ndata\n\n',
    [{ id: '', event: 'message', data: '' }],
  ],
  [
    'an id holds for the events after it',
    'id: 4\ndata: a\n\ndata: b\n\n',
    [
      { id: '4', data: 'a' },
      { id: '4', data: 'b' },
    ],
  ],
  ['an id with a zero in it is none', 'id: 4\nid: 5\0\ndata: a\n\n', [{ id: '4', data: 'a' }]],
  ['what the end cuts off is no event', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
])('%s', (_, text, events) => {
  const read = parse(text);
  expect(read).toHaveLength(events.length);
  expect(read).toMatchObject(events);
});

test('the stream says after how long it wants to be opened again', () => {
  const parser = new EventParser();
  parser.push(Buffer.from('retry: soon\nretry: 1500\nretry: -1\n'));
  expect(parser.retry).toBe(1500);
});

test('an event that does not end is not kept for ever', () => {
  const parser = new EventParser();
  const piece = Buffer.alloc(1024 * 1024, 'x');
  expect(() => {
    for (let count = 0; count < 18; count++) parser.push(piece);
  }).toThrow('an event of the stream is too long');
});
