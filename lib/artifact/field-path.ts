import { isPlainObject, type FieldPath, type PropertyValue } from '../api';

const step = /\.?([A-Za-z_$][\w$-]*)|\[(?:([0-9]{1,6})|([A-Za-z_$][^\][.\s"]*)|("(?:[^"\\]|\\.)*"))\]/y;

/** Parses a path such as `spec.template.spec.containers[app].image`; undefined if invalid. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const steps: (string | number)[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const [whole, field, index, entry, quoted] = step.exec(text) ?? [];
    if (whole === undefined || (field !== undefined && whole.startsWith('.') !== at > 0)) return undefined;
    const key = field ?? entry ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (key === undefined && index === undefined) return undefined;
    steps.push(key ?? Number(index));
  }
  return steps.length > 0 ? steps : undefined;
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Path of a field with list entries by index, or why it does not exist. */
type ResolvedPath = { readonly path: FieldPath } | { readonly reason: string; readonly remedy: string };

/**
 * Resolves a path in a manifest. The field must be scalar; maps along the path may be missing, list entries may not.
 */
export function resolveFieldPath(manifest: unknown, path: FieldPath): ResolvedPath {
  const found: (string | number)[] = [];
  let current = manifest;
  for (const key of path) {
    const next = Array.isArray(current) ? indexOf(current, key) : key;
    const isMap = isPlainObject(current) || current === undefined;
    if (Array.isArray(current) ? next === -1 : !isMap || typeof key === 'number')
      return {
        reason: `does not exist: ${JSON.stringify(key)} not found`,
        remedy: 'use a field of the workload, or an existing list entry',
      };
    found.push(next);
    current = hasKey(current, next) ? current[next] : undefined;
  }
  return typeof current === 'object' && current !== null
    ? { reason: 'is a map or a list', remedy: 'use a scalar field' }
    : { path: found };
}

const hasKey = (value: unknown, key: string | number): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** Returns the index of a list entry, given by index or name. */
function indexOf(list: readonly unknown[], key: string | number): number {
  if (typeof key === 'number') return key < list.length ? key : -1;
  return list.findIndex((entry) => isPlainObject(entry) && entry['name'] === key);
}

/** Returns a copy with the value set at a path from `resolveFieldPath`; shares everything else. */
export function setAtPath(document: unknown, path: FieldPath, value: PropertyValue): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const member = setAtPath(hasKey(document, key) ? document[key] : undefined, rest, value);
  if (!Array.isArray(document)) return { ...(document as object | undefined), [key]: member };
  return document.map((entry: unknown, index) => (index === key ? member : entry));
}
