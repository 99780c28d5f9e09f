import { isPlainObject, valueAt } from '../../../api';

export { entriesAt, numberAt, textAt } from '../../../api';

/** Fields of an unvalidated object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the object at a path; empty if there is none. */
export function fieldsAt(value: unknown, ...path: readonly (string | number)[]): Fields {
  const found = valueAt(value, path);
  return isPlainObject(found) ? found : {};
}

/** Returns the map of values at a path; empty if there is none. */
export const labelsAt = (value: unknown, ...path: readonly (string | number)[]): Readonly<Record<string, string>> =>
  fieldsAt(value, ...path) as Readonly<Record<string, string>>;

/** Returns the fields that differ from their defaults, which the API server would add itself. */
export function withoutDefaults(fields: Fields, defaults: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => !(key in defaults) || !isSame(value, defaults[key])),
  );
}

/** Returns the fields except those with some names. */
export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !names.includes(key)));

/** Returns a field if it has a value, else nothing. */
export const fieldIfSet = (name: string, value: unknown): Fields =>
  value === undefined || isEmpty(value) ? {} : { [name]: value };

/** Returns whether a value is an empty object or list. */
export const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns whether two values have the same JSON; the order of members matters. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Converts seconds to a duration, in the largest unit that keeps them whole. */
export function durationOf(seconds: number): string {
  if (seconds > 0 && seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** Returns a field with a duration; no field if it is missing or the default. */
export const durationUnless = (name: string, seconds: number | undefined, defaultSeconds: number): Fields =>
  seconds === undefined || seconds === defaultSeconds ? {} : { [name]: durationOf(seconds) };
