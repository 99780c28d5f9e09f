import fc from 'fast-check';
import { formatIndexes } from '../../../lib/expand';

test.each([
  [[0], '0'],
  [[3, 1, 2], '1-3'],
  [[0, 1, 3, 5, 6, 7, 7], '0-1,3,5-7'],
])('formats the indexes %p as %p', (indexes, text) => expect(formatIndexes(indexes)).toBe(text));

test('index ranges contain every index once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { minLength: 1 }), (indexes) => {
      const named = formatIndexes(indexes)
        .split(',')
        .flatMap((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return Array.from({ length: to - from + 1 }, (_, at) => from + at);
        });
      expect(named).toEqual([...new Set(indexes)].sort((a, b) => a - b));
    }),
  );
});
