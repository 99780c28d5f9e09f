import { createHash } from 'node:crypto';

/** Returns the first ten hexadecimal digits of the SHA-256 of a string. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Joins parts with dashes; a name longer than `max` is truncated and ends with a hash of the full name, so that names stay unique. */
export function derivedName(parts: readonly (string | number)[], max = 63): string {
  const full = parts.join('-');
  if (full.length <= max) return full;
  const hash = shortHash(full);
  return `${full.slice(0, max - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`;
}

/** Returns a string as a label value, truncated with a hash if it is too long. */
export const labelOf = (text: string): string => derivedName([text], 63);

/** Returns the entries of a map sorted by name, because the API server does not preserve the order of keys. */
export const inNameOrder = <T>(map: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
