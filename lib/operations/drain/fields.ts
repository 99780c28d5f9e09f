import { isPlainObject, valueAt } from '../../api';

/** The objects of a list at a path; empty where there is none. */
export function entriesAt(value: unknown, ...path: readonly (string | number)[]): readonly Record<string, unknown>[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isPlainObject) : [];
}

/** The number at a path. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** The text at a path; undefined where it is empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
