import fc from 'fast-check';
import { rowAfterKey, rowSlot, scrollTopToShow, visibleRange } from '../../../lib/page/elements/virtual-list';

const viewports = fc.record({
  top: fc.nat(500_000),
  height: fc.integer({ min: 1, max: 3000 }),
  row: fc.integer({ min: 10, max: 120 }),
});

test('every visible row is rendered, and never more than a few screens of rows', () => {
  fc.assert(
    fc.property(viewports, fc.nat(10_000), fc.nat(10_000), (viewport, count, index) => {
      const { first, end } = visibleRange(viewport, count);
      const shows =
        index < count &&
        (index + 1) * viewport.row > viewport.top &&
        index * viewport.row < viewport.top + viewport.height;
      if (shows) expect(index >= first && index < end).toBe(true);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(count);
      expect(end - first).toBeLessThanOrEqual(viewport.height / viewport.row + 20);
    }),
  );
});

test('rows that are rendered at the same time never share an element, and a visible row keeps its own', () => {
  fc.assert(
    fc.property(viewports, fc.nat(500), (viewport, distance) => {
      const later = { ...viewport, top: viewport.top + distance };
      const { first, end } = visibleRange(viewport, 100_000);
      const slots = Array.from({ length: end - first }, (_, index) => rowSlot(first + index, viewport));
      expect(new Set(slots).size).toBe(slots.length);
      expect(slots.map((_, index) => rowSlot(first + index, later))).toEqual(slots);
    }),
  );
});

test('scrolling to a row shows all of it if it fits, and does nothing for a visible row', () => {
  fc.assert(
    fc.property(viewports, fc.nat(10_000), (viewport, index) => {
      fc.pre(viewport.height >= viewport.row);
      const top = scrollTopToShow(index, viewport);
      expect(index * viewport.row).toBeGreaterThanOrEqual(top);
      expect((index + 1) * viewport.row).toBeLessThanOrEqual(top + viewport.height);
      expect(scrollTopToShow(index, { ...viewport, top })).toBe(top);
    }),
  );
});

test('keys move from row to row and stop at both ends', () => {
  const viewport = { top: 0, height: 400, row: 40 };
  const pressKeys = (keys: readonly string[]): number | undefined =>
    keys.reduce<number | undefined>((active, key) => rowAfterKey(key, active, viewport, 100), undefined);
  expect(pressKeys(['ArrowDown'])).toBe(0);
  expect(pressKeys(['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'])).toBe(0);
  expect(pressKeys(['End', 'ArrowDown'])).toBe(99);
  expect(pressKeys(['End', 'PageUp'])).toBe(90);
  expect(pressKeys(['ArrowDown', 'PageDown', 'Home'])).toBe(0);
  expect(rowAfterKey('x', 3, viewport, 100)).toBeUndefined();
  expect(rowAfterKey('ArrowDown', undefined, viewport, 0)).toBeUndefined();
});
