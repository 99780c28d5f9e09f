import { createHash } from 'node:crypto';

/** First ten hexadecimal digits of the SHA-256 of a text. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Joins parts to a name with dashes; one longer than `max` is cut and ends with a hash of the whole, so that names stay apart. */
export function derivedName(parts: readonly (string | number)[], max = 63): string {
  const full = parts.join('-');
  if (full.length <= max) return full;
  const hash = shortHash(full);
  return `${full.slice(0, max - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`;
}

/** A label value: the text where it fits, else cut with a hash. */
export const labelOf = (text: string): string => derivedName([text], 63);

/** Entries of a map by name: the API server does not keep the order in which somebody wrote them. */
export const inNameOrder = <T>(map: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
