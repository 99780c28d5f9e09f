import * as z from 'zod';
import { isPlainObject } from '../values/plain-object';
import { withoutMember } from '../values/without-member';
import { unwrap } from './schema-walk';

/** Returns a value with the defaults of its schema and without its invalid fields; undefined if nothing of it is valid. */
export function parseValidFields(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { reportInput: false });
  if (parsed.success) return parsed.data;
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    if (!(inner instanceof z.ZodArray)) return withoutIssues(value, parsed.error.issues);
    const entries = value.map((entry: unknown) => parseValidFields(inner.element as z.ZodType, entry));
    // Without an entry, those after it would have other positions.
    return entries.includes(undefined) ? undefined : entries;
  }
  if (!isPlainObject(value)) return undefined;
  if (inner instanceof z.ZodObject)
    return membersOf(Object.entries(inner.shape).map(([name, field]) => [name, field as z.ZodType, value[name]]));
  if (inner instanceof z.ZodRecord)
    return membersOf(Object.entries(value).map(([name, member]) => [name, inner.valueType as z.ZodType, member]));
  return withoutIssues(value, parsed.error.issues);
}

const membersOf = (fields: readonly (readonly [string, z.ZodType, unknown])[]): object =>
  Object.fromEntries(
    fields.flatMap(([name, schema, value]) => {
      const valid = parseValidFields(schema, value);
      return valid === undefined ? [] : [[name, valid] as const];
    }),
  );

/** Returns a leaf, which has no defaults, without the members that are invalid. */
const withoutIssues = (value: unknown, issues: readonly z.core.$ZodIssue[]): unknown =>
  issues.some(({ path }) => path.length === 0)
    ? undefined
    : issues.map(({ path }) => path.filter((step) => typeof step !== 'symbol')).reduce<unknown>(withoutMember, value);
