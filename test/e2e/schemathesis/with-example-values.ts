type Json = Readonly<Record<string, unknown>>;

/** Returns an OpenAPI document in which parameters and request bodies also offer known existing values. */
export function withExampleValues(document: object, known: Readonly<Record<string, string>>): object {
  if (Object.keys(known).length === 0) return document;
  const addValues = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => addValues(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    const mapped = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, addValues(member, key)]));
    if (isParameter(mapped))
      return { ...mapped, schema: withExample(mapped['schema'], known[mapped['name'] as string]) };
    if (name.endsWith('Request')) return { ...mapped, properties: membersOf(mapped['properties'] as Json, known) };
    return mapped;
  };
  return addValues(document, '') as object;
}

const isParameter = (value: Json): boolean =>
  typeof value['name'] === 'string' && typeof value['in'] === 'string' && typeof value['schema'] === 'object';

const membersOf = (properties: Json = {}, known: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withExample(schema, known[name])]));

const withExample = (schema: unknown, value: string | undefined): unknown =>
  value === undefined ? schema : { anyOf: [{ type: 'string', enum: [value] }, schema] };
