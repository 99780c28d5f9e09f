import fc from 'fast-check';
import { createEventReader, type StreamEvent } from '../../lib/page/event-stream';

/** Reads a text that comes in these pieces. */
function readInPieces(pieces: readonly string[]): StreamEvent[] {
  const read = createEventReader();
  return pieces.flatMap((piece) => [...read(piece)]);
}

/** Cuts a text at places of its own. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index]));
}

test('what the service says of the stream itself is none of its events', () => {
  const read = createEventReader();
  const stream = 'id: 1\ndata: one\n\nevent: end\ndata: {}\n\nevent: message\ndata: two\n\ndata: three\n\n';
  expect(read(stream).map(({ data }) => data)).toEqual(['one', 'two', 'three']);
});

test('events are the same however their stream is cut into pieces, with every kind of line end', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'ü', ':', ' ', '{', '"'), maxLength: 12 });
  const event = fc.record({
    id: fc.option(fc.nat(99), { nil: undefined }),
    data: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(500)), (events, end, places) => {
      const text = events
        .map(({ id, data }) =>
          [...(id === undefined ? [] : [`id: ${id}`]), ...data.map((one) => `data: ${one}`), '', ''].join(end),
        )
        .join('');
      const whole = readInPieces([text]);
      expect(readInPieces(cutAt(text, places))).toEqual(whole);
      expect(whole.map(({ data }) => data)).toEqual(events.map(({ data }) => data.join('\n')));
    }),
  );
});

test('beats, names of events and pauses are no events, and an id holds until the next', () => {
  expect(readInPieces([': beat\n\nretry: 5\nevent: message\nid: 7\ndata: one\n\ndata:two\n\n', 'data: cut'])).toEqual([
    { id: '7', data: 'one' },
    { id: '7', data: 'two' },
  ]);
});
