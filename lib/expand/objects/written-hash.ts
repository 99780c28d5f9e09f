import { isDeepStrictEqual } from 'node:util';
import { crdOf, isPlainObject, type PinionKind } from '../../api';
import { sortedHash } from './sorted-hash';

type Schema = Readonly<Record<string, unknown>>;
type Fields = Schema;

const schemas = new Map<PinionKind, Schema>();

/**
 * Hashes fields of a spec as written, without defaults: neither another profile nor a newer library version with more
 * fields changes the hash.
 */
export const writtenHash = (kind: PinionKind, fields: Fields): string => sortedHash(writtenFields(kind, fields));

/** Returns fields of a spec as written, without defaults. */
export const writtenFields = (kind: PinionKind, fields: Fields): Fields =>
  withoutDefaults(fields, specSchema(kind)) as Fields;

function specSchema(kind: PinionKind): Schema {
  let schema = schemas.get(kind);
  if (!schema) {
    const [version] = crdOf(kind).spec.versions;
    schema = fieldSchema(version?.schema?.openAPIV3Schema as Schema | undefined, 'spec') ?? {};
    schemas.set(kind, schema);
  }
  return schema;
}

const fieldSchema = (schema: Schema | undefined, field: string): Schema | undefined =>
  ((schema?.['properties'] as Readonly<Record<string, Schema>> | undefined)?.[field] ??
    schema?.['additionalProperties']) as Schema | undefined;

/** Returns a value without the defaults of its schema. */
function withoutDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(item, schema?.['items'] as Schema | undefined));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).flatMap(([field, fieldValue]) => {
    const schemaOfField = fieldSchema(schema, field);
    const rest = withoutDefaults(fieldValue, schemaOfField);
    const defaultValue = schemaOfField?.['default'];
    return rest === undefined ||
      (defaultValue !== undefined && isDeepStrictEqual(rest, withoutDefaults(defaultValue, schemaOfField)))
      ? []
      : [[field, rest]];
  });
  return Object.fromEntries(entries);
}
