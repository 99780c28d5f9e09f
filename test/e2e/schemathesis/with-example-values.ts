type Json = Readonly<Record<string, unknown>>;

/** Returns an OpenAPI document in which parameters and request bodies also offer known existing values. */
export function withExampleValues(document: object, known: Readonly<Record<string, string>>): object {
  if (Object.keys(known).length === 0) return document;
  const within = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    const mapped = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, within(member, key)]));
    if (isParameter(mapped)) return { ...mapped, schema: offering(mapped['schema'], known[mapped['name'] as string]) };
    if (name.endsWith('Request')) return { ...mapped, properties: membersOf(mapped['properties'] as Json, known) };
    return mapped;
  };
  return within(document, '') as object;
}

const isParameter = (value: Json): boolean =>
  typeof value['name'] === 'string' && typeof value['in'] === 'string' && typeof value['schema'] === 'object';

const membersOf = (properties: Json = {}, known: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, offering(schema, known[name])]));

const offering = (schema: unknown, value: string | undefined): unknown =>
  value === undefined ? schema : { anyOf: [{ type: 'string', enum: [value] }, schema] };
