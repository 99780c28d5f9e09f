import { isPlainObject } from '../../api';
import { shortHash } from './name';

/** Hashes a value; the order of keys does not matter. */
export const sortedHash = (value: unknown): string => shortHash(JSON.stringify(sorted(value)));

/** Returns a value with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
