import { isDeepStrictEqual } from 'node:util';

/** Whether two statuses say the same; a field that is undefined is a field that is not there. */
export const sameStatus = (one: object | undefined, other: object | undefined): boolean =>
  isDeepStrictEqual(withoutUndefined(one), withoutUndefined(other));

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const said = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(said.map(([name, field]) => [name, withoutUndefined(field)]));
}
