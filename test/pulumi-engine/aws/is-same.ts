import { isDeepStrictEqual } from 'node:util';

/** Returns whether two values are equal to AWS, which ignores the order of a list and the formatting of a policy. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(normalize(one), normalize(other));

function normalize(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('{')) return normalize(JSON.parse(value));
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(normalize(one))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, normalize(one)] as const);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));
}
