import { type FieldPath } from './problem';

/** The value that lies at a path below another; undefined where the path ends early. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[step];
  }
  return current;
}
