import { isPlainObject, isSensitivePath, type FieldPath } from '../../api';

/** Placeholder of a hidden value. */
const hidden = '(not shown)';

/**
 * Returns a spec without values that could be secrets: those of variables, files, arguments and annotations; names are
 * kept.
 */
export function redactSpec(value: unknown, path: FieldPath = []): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => redactSpec(entry, [...path, index]));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactSpec(member, [...path, key])]));
  const isNameOfEntry = path.at(-1) === 'name' && typeof path.at(-2) === 'number';
  const isValue = typeof value === 'string' || typeof value === 'number';
  return isValue && !isNameOfEntry && isSensitivePath(path) ? hidden : value;
}
