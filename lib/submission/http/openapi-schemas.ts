import * as z from 'zod';

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

const folder = '#/components/schemas/';

/** Schemas of the OpenAPI document: each named schema once, referenced elsewhere. */
export class OpenApiSchemas {
  readonly #registry = z.registry<{ readonly id: string }>();

  constructor(private readonly named: ReadonlyMap<z.ZodType, string>) {
    for (const [schema, id] of named) this.#registry.add(schema, { id });
  }

  /** Returns all named schemas by name. */
  components(): Record<string, Json> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      uri: (id) => `${folder}${id}`,
      override: tidy,
    });
    const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withoutNames(schema)]));
  }

  /** Returns a reference to a named schema. */
  refTo(schema: z.ZodType): { readonly $ref: string } {
    const name = this.named.get(schema);
    if (name === undefined) throw new Error('a schema of the contract has no name');
    return { $ref: `${folder}${name}` };
  }

  /** Returns an inline schema. */
  inline(schema: z.ZodType): Json {
    return withoutNames(z.toJSONSchema(schema, { override: tidy }));
  }
}

/** Removes identifiers and the dialect, which the document states once. */
function withoutNames(schema: Json): Json {
  const { $schema: _dialect, $id: _id, id: _name, '~standard': _standard, ...rest } = schema;
  return rest;
}

/** Removes the bounds of JavaScript numbers, and restrictions that would prevent new fields in responses. */
function tidy({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  const { def } = zodSchema._zod;
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
}
