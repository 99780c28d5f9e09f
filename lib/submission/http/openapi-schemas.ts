import * as z from 'zod';

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

const folder = '#/components/schemas/';

/** Schemas of the document: each named shape once, and references to it wherever it occurs. */
export class OpenApiSchemas {
  readonly #registry = z.registry<{ readonly id: string }>();

  constructor(private readonly named: ReadonlyMap<z.ZodType, string>) {
    for (const [shape, id] of named) this.#registry.add(shape, { id });
  }

  /** All named schemas, by name. */
  components(): Record<string, Json> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      uri: (id) => `${folder}${id}`,
      override: tidy,
    });
    const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withoutNames(schema)]));
  }

  /** A reference to a named shape. */
  refTo(shape: z.ZodType): { readonly $ref: string } {
    const name = this.named.get(shape);
    if (name === undefined) throw new Error('a shape of the contract has no name');
    return { $ref: `${folder}${name}` };
  }

  /** The schema of a shape that has no name. */
  inline(shape: z.ZodType): Json {
    return withoutNames(z.toJSONSchema(shape, { override: tidy }));
  }
}

/** What a document holds no second time: where it is, and which dialect it is of. */
function withoutNames(schema: Json): Json {
  const { $schema: _dialect, $id: _id, id: _name, '~standard': _standard, ...rest } = schema;
  return rest;
}

/** Leaves out what only bounds of JavaScript say, and what would keep answers from growing a field. */
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
