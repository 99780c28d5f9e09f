import { isPlainObject, type FieldPath } from '../../api';

/**
 * Lists the paths of all leaves that differ between two versions of an object; list entries are compared by index, so
 * that an inserted entry counts as a change of all that follow. Empty maps and lists are leaves.
 */
export function changedLeaves(before: unknown, after: unknown, path: FieldPath = []): FieldPath[] {
  if (before === after) return [];
  const keys = [...new Set([...keysOf(before), ...keysOf(after)])];
  if (keys.length === 0 || (isBranch(before) && isBranch(after) && Array.isArray(before) !== Array.isArray(after)))
    return isSameLeaf(before, after) ? [] : [path];
  const below = keys.flatMap((key) => changedLeaves(memberOf(before, key), memberOf(after, key), [...path, key]));
  // A leaf that became a branch, or the reverse, is itself a change.
  return isBranch(before) === isBranch(after) || before === undefined || after === undefined ? below : [path, ...below];
}

const isBranch = (value: unknown): value is object => Array.isArray(value) || isPlainObject(value);

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return isPlainObject(value) ? Object.keys(value) : [];
}

const memberOf = (value: unknown, key: string | number): unknown =>
  isBranch(value) && Object.hasOwn(value, key) ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;

const isSameLeaf = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
