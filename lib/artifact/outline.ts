import { isPlainObject } from '../api';

/**
 * Structure of a value without its texts and numbers: the keys of its objects, the lengths of its lists, and 0 for
 * everything else, except null.
 */
export type Outline = 0 | null | readonly Outline[] | { readonly [key: string]: Outline };

/** Maximum depth of an outline; manifests are far below it. */
const maxDepth = 64;

/** Returns whether a value is an outline of limited depth. */
export function isOutline(value: unknown, depth = maxDepth): value is Outline {
  if (value === 0 || value === null) return true;
  if (depth === 0) return false;
  const members = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : undefined;
  return members !== undefined && members.every((member) => isOutline(member, depth - 1));
}

/** Returns the outline of a JSON value. */
export function outlineOf(value: unknown): Outline {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(outlineOf);
  if (!isPlainObject(value)) return 0;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, outlineOf(member)]));
}

/**
 * Returns the part of a value that an outline describes; undefined if the value does not have it.
 *
 * The API server adds defaults to what was published and drops nulls; the outline says which fields were published.
 */
export function extractOutline(value: unknown, outline: Outline): unknown {
  if (outline === null) return null;
  if (outline === 0) return isPlainObject(value) || Array.isArray(value) ? undefined : (value ?? undefined);
  if (isList(outline)) {
    if (!Array.isArray(value) || value.length < outline.length) return undefined;
    const items = outline.map((item, index) => extractOutline(value[index], item));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isPlainObject(value)) return undefined;
  const members = Object.entries(outline).map(
    ([key, member]) => [key, extractOutline(Object.hasOwn(value, key) ? value[key] : undefined, member)] as const,
  );
  return members.some(([, member]) => member === undefined) ? undefined : Object.fromEntries(members);
}

const isList = (outline: Outline): outline is readonly Outline[] => Array.isArray(outline);
