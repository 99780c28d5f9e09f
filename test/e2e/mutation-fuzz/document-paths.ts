/** Path of a field of a document. */
export type DocumentPath = readonly (string | number)[];

/** Lists the paths of all fields and list entries of a document. */
export function pathsIn(value: unknown, path: DocumentPath = []): DocumentPath[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const below = keys.flatMap((key) => pathsIn((value as Record<string | number, unknown>)[key], [...path, key]));
  return path.length > 0 ? [path, ...below] : below;
}

/** Returns the value at a path; undefined if there is none. */
export const valueAtPath = (document: unknown, path: DocumentPath): unknown =>
  path.reduce<unknown>((holder, step) => (holder as Record<string | number, unknown> | undefined)?.[step], document);
