import { type Viewport } from '../dom/vnode';

/** Range of rendered rows; `end` is exclusive. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows rendered above and below the viewport, so that a quick scroll finds them. */
const overscan = 8;

/** Returns the range of rows to render for a viewport. */
export function visibleRange({ top, height, row }: Viewport, count: number): RowRange {
  const first = Math.floor(top / row) - overscan;
  const end = Math.ceil((top + height) / row) + overscan;
  const within = (index: number): number => Math.min(count, Math.max(0, index));
  return { first: within(first), end: within(end) };
}

/**
 * Returns which of the list's elements shows a row. Elements of rows that have left the range are reused, so a scroll creates
 * no elements and only updates existing ones.
 */
export const rowSlot = (index: number, { height, row }: Viewport): number =>
  index % (Math.ceil(height / row) + 1 + 2 * overscan);

/** Returns the scroll position at which a row is fully visible; the current position if it is already. */
export function scrollTopToShow(index: number, { top, height, row }: Viewport): number {
  const above = index * row;
  if (above < top) return above;
  return above + row > top + height ? above + row - height : top;
}

/** Returns the active row after a key press, or undefined if the key does not move it. */
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
