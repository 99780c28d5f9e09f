import type * as z from 'zod';
import { type SpecInputs } from './inputs.generated';
import { kindSchemas, type PinionKind } from './kinds/kinds';
import { type FieldPath } from './problem';
import { choicesOf } from './schema/schema-walk';

/** `spec` of a kind as written in a manifest. */
export type SpecInput<K extends PinionKind> = SpecInputs[K];

const schemas = new Map<PinionKind, z.ZodType>();

/** Returns the schema of a kind's `spec`, created on first use. */
export function schemaOf(kind: PinionKind): z.ZodType {
  let schema = schemas.get(kind);
  if (!schema) {
    schema = kindSchemas[kind].spec();
    schemas.set(kind, schema);
  }
  return schema;
}

/** Returns the schema of a kind's `status`. */
export const statusSchemaOf = (kind: PinionKind): z.ZodType => kindSchemas[kind].status();

/** Returns the allowed values of a field of a kind's `spec`, if they are a closed set. */
export const choicesAt = (kind: PinionKind, path: FieldPath): readonly string[] | undefined =>
  choicesOf(schemaOf(kind), path);
