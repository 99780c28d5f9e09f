import * as z from 'zod';
import { fieldFacts } from './field-facts';
import { type FieldPath } from '../problem';

/** Returns the schema below wrappers such as optional and default. */
export function unwrap(schema: z.ZodType): z.ZodType {
  let current = schema;
  while (current instanceof z.ZodOptional || current instanceof z.ZodDefault || current instanceof z.ZodPrefault) {
    current = current.unwrap() as z.ZodType;
  }
  return current;
}

/** Returns the schema of a member of an object, list or map; undefined if there is none. */
function memberOf(schema: z.ZodType, key: string | number): z.ZodType | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return Object.hasOwn(inner.shape, key) ? (inner.shape[key] as z.ZodType | undefined) : undefined;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  return undefined;
}

/** Returns the field names of the object at a path. */
export function fieldNamesAt(schema: z.ZodType, path: FieldPath): string[] {
  let current: z.ZodType | undefined = schema;
  for (const step of path) current = current && memberOf(current, step);
  const inner = current && unwrap(current);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** Returns whether any field along a path may contain values that must not be shown. */
export function isHidden(schema: z.ZodType, path: FieldPath): boolean {
  let current: z.ZodType | undefined = schema;
  for (const step of path) {
    if (current && fieldFacts.get(unwrap(current))?.hidden) return true;
    current = current && memberOf(current, step);
  }
  return current ? Boolean(fieldFacts.get(unwrap(current))?.hidden) : false;
}

/** Returns the allowed values of the field at a path, if they are a closed set. */
export function choicesOf(schema: z.ZodType, path: FieldPath): readonly string[] | undefined {
  let current: z.ZodType | undefined = schema;
  for (const step of path) current = current && memberOf(current, step);
  const inner = current && unwrap(current);
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}
