import { isDeepStrictEqual } from 'node:util';
import { crdOf, isPlainObject, type WorkloadKind } from '../../api';
import { shortHash } from './name';

type Schema = Readonly<Record<string, unknown>>;

const schemas = new Map<WorkloadKind, Schema>();

/**
 * Hashes fields of a spec as written, without defaults: neither another profile nor a newer library version with more
 * fields changes the hash.
 */
export const writtenHash = (kind: WorkloadKind, fields: Readonly<Record<string, unknown>>): string =>
  shortHash(JSON.stringify(sorted(withoutDefaults(fields, specSchema(kind)))));

function specSchema(kind: WorkloadKind): Schema {
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

/** Returns a value with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
