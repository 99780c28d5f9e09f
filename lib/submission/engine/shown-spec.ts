import { isPlainObject, isSensitivePath, type FieldPath } from '../../api';

/** Placeholder of a hidden value. */
const hidden = '(not shown)';

/**
 * Returns a spec without values that could be secrets: those of variables, files, arguments and annotations; names are
 * kept.
 */
export function shownSpec(value: unknown, at: FieldPath = []): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => shownSpec(entry, [...at, index]));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([step, member]) => [step, shownSpec(member, [...at, step])]));
  const isNameOfEntry = at.at(-1) === 'name' && typeof at.at(-2) === 'number';
  const isValue = typeof value === 'string' || typeof value === 'number';
  return isValue && !isNameOfEntry && isSensitivePath(at) ? hidden : value;
}
