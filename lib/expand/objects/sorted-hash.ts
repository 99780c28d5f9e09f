import { shortHash } from './name';

/** Hashes a value; the order of keys does not matter. */
export const sortedHash = (value: unknown): string => shortHash(sortedText(value));

/** Texts of frozen values: thousands of workloads share the parts of a profile. */
const texts = new WeakMap<object, string>();

/** Returns the JSON of a value with sorted keys. */
function sortedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value) ? `[${value.map(sortedText).join(',')}]` : `{${membersOf(value).join(',')}}`;
  if (Object.isFrozen(value)) texts.set(value, text);
  return text;
}

const membersOf = (value: object): readonly string[] =>
  sortedKeys(value).flatMap((key) => {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    return member === undefined ? [] : [`${JSON.stringify(key)}:${sortedText(member)}`];
  });

/** Returns the keys in the order of an object that was created with sorted keys, which recorded hashes have: integers come first. */
const sortedKeys = (value: object): readonly string[] =>
  Object.keys(
    Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, true]),
    ),
  );
