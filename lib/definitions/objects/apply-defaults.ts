import { isPlainObject } from '../../api';
import { childPath, fieldSchema, itemsPath, type SchemaNode } from '../schema/schema-node';

/** A value with the defaults of its schema, and the paths of those that were set. */
export interface Defaulted {
  readonly value: unknown;
  readonly paths: readonly string[];
}

/** Sets the defaults of a schema, as the API server does when it reads a stored object. */
export function applyDefaults(value: unknown, schema: SchemaNode): Defaulted {
  const paths: string[] = [];
  return { value: defaulted(value, schema, '', (path) => void paths.push(path)), paths };
}

const isRejectedNull = (value: unknown, schema: SchemaNode | undefined): boolean =>
  value === null && schema !== undefined && schema.nullable !== true;

function defaulted(value: unknown, schema: SchemaNode | undefined, path: string, set: (path: string) => void): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.map((item: unknown) => {
      if (isRejectedNull(item, items) && items?.default !== undefined) return structuredClone(items.default);
      return defaulted(item, items, itemsPath(path), set);
    });
  }
  if (!isPlainObject(value)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [field, child] of Object.entries(schema.properties ?? {})) {
    if (child.default === undefined) continue;
    if (Object.hasOwn(result, field) && !isRejectedNull(result[field], child)) continue;
    result[field] = structuredClone(child.default);
    set(childPath(path, field));
  }
  for (const [field, current] of Object.entries(result)) {
    const below = fieldSchema(schema, field);
    const isMapValue = schema.properties?.[field] === undefined;
    if (isMapValue && isRejectedNull(current, below)) result[field] = structuredClone(below?.default ?? null);
    result[field] = defaulted(result[field], below, childPath(path, field), set);
  }
  return result;
}
