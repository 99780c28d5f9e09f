import fc from 'fast-check';
import { newestFirst, paged } from '../../../lib/submission/engine/paged';

const keyed = (keys: readonly string[]) => keys.map((key) => [key, key] as const);

test('a page has the cursor of the next one, and the last one has none', () => {
  const items = keyed(['c', 'a', 'd', 'b']);
  const first = paged(items, { limit: 3 });
  expect(first.items).toEqual(['a', 'b', 'c']);
  const second = paged(items, { limit: 3, after: first.next ?? '' });
  expect(second).toEqual({ items: ['d'] });
  expect(paged(items, { limit: 4 })).toEqual({ items: ['a', 'b', 'c', 'd'] });
  expect(paged([], { limit: 1 })).toEqual({ items: [] });
});

test('a page continues after a deleted item, and never shows earlier ones', () => {
  const { next = '' } = paged(keyed(['a', 'b', 'c']), { limit: 2 });
  expect(paged(keyed(['a', 'aa', 'c', 'd']), { limit: 2, after: next }).items).toEqual(['c', 'd']);
});

test('an invalid cursor is an ordinary position, and never an error', () => {
  fc.assert(
    fc.property(fc.string(), (after) => {
      const { items } = paged(keyed(['a', 'b', 'c']), { limit: 10, after });
      expect(['a', 'b', 'c'].slice(3 - items.length)).toEqual(items);
    }),
  );
});

test('all pages together contain all items, once and in order, regardless of their keys', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'grapheme-composite', minLength: 1 }), { maxLength: 50 }),
      fc.integer({ min: 1, max: 7 }),
      (keys, limit) => {
        const found: string[] = [];
        let after: string | undefined;
        do {
          const page = paged(keyed(keys), { limit, ...(after !== undefined && { after }) });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          found.push(...page.items);
          after = page.next;
        } while (after !== undefined);
        expect(found).toEqual([...keys].sort((a, b) => (a < b ? -1 : 1)));
      },
    ),
  );
});

test('the newest comes first, and items of the same time are sorted by name', () => {
  const date = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(date, date, (a, b) => {
      const [one, other] = [newestFirst(a.toISOString(), 'x'), newestFirst(b.toISOString(), 'x')];
      expect(Math.sign(a.getTime() - b.getTime())).toBe(one < other ? 1 : one > other ? -1 : 0);
    }),
  );
  const time = '2026-11-02T09:00:00Z';
  expect([newestFirst(time, 'b'), newestFirst(time, 'a')].sort()).toEqual([
    newestFirst(time, 'a'),
    newestFirst(time, 'b'),
  ]);
  // The same time in another time zone.
  expect(newestFirst('2026-11-02T10:00:00+01:00', 'a')).toBe(newestFirst(time, 'a'));
});
