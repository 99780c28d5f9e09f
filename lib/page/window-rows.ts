import { type Viewport } from './element';

/** Rows of a long list that are made: from the first up to, but without, the end. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** Rows that are made above and below what shows, so that a quick scroll finds them there. */
const spare = 8;

/** Which rows of a list to make for what shows of it. */
export function windowOf({ top, height, row }: Viewport, count: number): RowWindow {
  const first = Math.floor(top / row) - spare;
  const end = Math.ceil((top + height) / row) + spare;
  const within = (place: number): number => Math.min(count, Math.max(0, place));
  return { first: within(first), end: within(end) };
}

/**
 * Which of the elements that a list keeps stands for a row: the one that stood for a row that has left the window. So a
 * scroll makes no elements, but says other things in those that are there.
 */
export const slotOf = (place: number, { height, row }: Viewport): number =>
  place % (Math.ceil(height / row) + 1 + 2 * spare);

/** Where to scroll to so that a row shows whole; where the list stands already if it does. */
export function scrollToShow(place: number, { top, height, row }: Viewport): number {
  const above = place * row;
  if (above < top) return above;
  return above + row > top + height ? above + row - height : top;
}

/** Which row is the active one after a key, or undefined where the key does not move it. */
export function rowAfterKey(
  key: string,
  active: number | undefined,
  { height, row }: Viewport,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  const page = Math.max(1, Math.floor(height / row) - 1);
  const from = active ?? -1;
  const moved: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const to = moved[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}
