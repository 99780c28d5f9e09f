import { isPlainObject, isSensitivePath, type FieldPath } from '../../api';

/** What stands where a value is not shown. */
const hidden = '(not shown)';

/** A spec with its values hidden where they could be secrets: those of variables, files, arguments and annotations; names stay. */
export function shownSpec(value: unknown, at: FieldPath = []): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => shownSpec(entry, [...at, index]));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([step, member]) => [step, shownSpec(member, [...at, step])]));
  const isNameOfEntry = at.at(-1) === 'name' && typeof at.at(-2) === 'number';
  const isValue = typeof value === 'string' || typeof value === 'number';
  return isValue && !isNameOfEntry && isSensitivePath(at) ? hidden : value;
}
