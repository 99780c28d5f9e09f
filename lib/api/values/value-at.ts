import { isPlainObject } from './plain-object';
import { type FieldPath } from '../problem';

/** Returns the value at a path; undefined if the path ends early. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[step];
  }
  return current;
}

/** Returns the objects of a list at a path; empty if there is none. */
export function entriesAt(value: unknown, ...path: FieldPath): readonly Readonly<Record<string, unknown>>[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isPlainObject) : [];
}

/** Returns the number at a path. */
export function numberAt(value: unknown, ...path: FieldPath): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** Returns the text at a path; undefined if it is empty. */
export function textAt(value: unknown, ...path: FieldPath): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
