import { type Page } from '../../contract';
import { type Paging } from '../service';

/** One page of items that have an order: those behind the key at which the page before ended. */
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

/** A key by which the newest comes first: a moment, RFC 3339, turned around. */
export const newestFirst = (moment: string, name: string): string =>
  `${(8_640_000_000_000_000 - Date.parse(moment)).toString().padStart(16, '0')}/${name}`;
