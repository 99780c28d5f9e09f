import { isPlainObject, type FieldPath, type PropertyValue } from '../api';

const step = /\.?([A-Za-z_$][\w$-]*)|\[(?:([0-9]{1,6})|([A-Za-z_$][^\][.\s"]*)|("(?:[^"\\]|\\.)*"))\]/y;

/** Reads a path such as `spec.template.spec.containers[app].image`, as messages write it; undefined for any other text. */
export function parseHolePath(text: string): FieldPath | undefined {
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

/** A hole in one document: its place with every entry of a list by its index, or why there is none. */
type FoundHole = { readonly path: FieldPath } | { readonly reason: string; readonly remedy: string };

/**
 * Looks for the place that a path means. It must not hold a map or a list; maps on the way to it need not be there, but
 * entries of lists must.
 */
export function findHole(document: unknown, path: FieldPath): FoundHole {
  const found: (string | number)[] = [];
  let current = document;
  for (const key of path) {
    const next = Array.isArray(current) ? indexOf(current, key) : key;
    const isMap = isPlainObject(current) || current === undefined;
    if (Array.isArray(current) ? next === -1 : !isMap || typeof key === 'number')
      return {
        reason: `leads nowhere: ${JSON.stringify(key)} is not there`,
        remedy: 'name a field of the workload, or an entry that its list has',
      };
    found.push(next);
    current = isThere(current, next) ? current[next] : undefined;
  }
  return typeof current === 'object' && current !== null
    ? { reason: 'holds a map or a list', remedy: 'name a place of one value' }
    : { path: found };
}

const isThere = (value: unknown, key: string | number): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** The place of a list's entry: by its index, or by its name. */
function indexOf(list: readonly unknown[], key: string | number): number {
  if (typeof key === 'number') return key < list.length ? key : -1;
  return list.findIndex((entry) => isPlainObject(entry) && entry['name'] === key);
}

/** A copy with a value at a place that `findHole` found; all beside the way to it is shared. */
export function filled(document: unknown, path: FieldPath, value: PropertyValue): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const member = filled(isThere(document, key) ? document[key] : undefined, rest, value);
  if (!Array.isArray(document)) return { ...(document as object | undefined), [key]: member };
  return document.map((entry: unknown, index) => (index === key ? member : entry));
}
