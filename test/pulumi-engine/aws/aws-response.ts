type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A response from AWS, or a part of it, by the field names of its API. */
export class AwsResponse {
  constructor(readonly values: Values) {}

  /** Returns a field, or a nested one: `at('Vpc', 'VpcId')`; undefined if it does not exist. */
  at(...path: readonly string[]): unknown {
    return path.reduce<unknown>((value, field) => (isObject(value) ? value[field] : undefined), this.values);
  }

  /** Returns a field as a string. Throws if it does not exist. */
  text(...path: readonly string[]): string {
    const value = this.at(...path);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`the response of AWS has no ${path.join('.')}: ${JSON.stringify(this.values)}`);
    return String(value);
  }

  /** Returns a nested object; empty if it does not exist. */
  part(...path: readonly string[]): AwsResponse {
    const value = this.at(...path);
    return new AwsResponse(isObject(value) ? value : {});
  }

  /** Returns the objects of a list; empty if it does not exist. */
  list(...path: readonly string[]): AwsResponse[] {
    const value = this.at(...path);
    return Array.isArray(value) ? value.filter(isObject).map((one) => new AwsResponse(one)) : [];
  }

  /** Converts field names to the provider's: `cidrBlock` for `CidrBlock`, also nested and in lists. */
  fields(...names: readonly string[]): Record<string, unknown> {
    const camelCased = toCamelCase(this.values) as Record<string, unknown>;
    return Object.fromEntries(
      names.filter((name) => camelCased[name] !== undefined).map((name) => [name, camelCased[name]]),
    );
  }
}

/** Converts field names to those of AWS: `CidrBlock` for `cidrBlock`, also nested and in lists. */
export const toPascalCase = (values: Values): Record<string, unknown> =>
  renameFields(values, (name) => upper(name)) as Record<string, unknown>;

const toCamelCase = (value: unknown): unknown => renameFields(value, (name) => lower(name));
const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function renameFields(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameFields(one, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), renameFields(one, rename)]));
}
