import { type Page } from '../../contract';
import { type Paging } from '../service';

/** Returns one page of sorted items: those after the key at which the previous page ended. */
export function paged<T>(items: readonly (readonly [key: string, item: T])[], { limit, after }: Paging): Page<T> {
  const sorted = [...items].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const from = after === undefined ? undefined : textOf(after);
  const rest = from === undefined ? sorted : sorted.filter(([key]) => key > from);
  const page = rest.slice(0, limit);
  const last = page.at(-1)?.[0];
  return {
    items: page.map(([, item]) => item),
    ...(last !== undefined && rest.length > limit && { next: Buffer.from(last).toString('base64url') }),
  };
}

const textOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

/** Returns a key that sorts the newest first: a reversed timestamp (RFC 3339). */
export const newestFirst = (timestamp: string, name: string): string =>
  `${(8_640_000_000_000_000 - Date.parse(timestamp)).toString().padStart(16, '0')}/${name}`;
