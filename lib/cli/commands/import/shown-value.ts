import { holdsSecretText, isPlainObject } from '../../../api';

const hidden = '(hidden)';
/** What `shownValue` returns for a text that is a secret. */
export const hiddenValue = JSON.stringify(hidden);

/** Returns the JSON of a value for a comment; secrets in it, by their form or the name of their field, are hidden. */
export const shownValue = (value: unknown, name = ''): string => JSON.stringify(withoutSecrets(value, name));

/** Returns whether `shownValue` hides a part of a value. */
export const holdsSecret = (value: unknown, name = ''): boolean => shownValue(value, name) !== JSON.stringify(value);

function withoutSecrets(value: unknown, name: string): unknown {
  if (typeof value === 'string') return holdsSecretText(value, name) ? hidden : value;
  if (Array.isArray(value))
    // An option may be followed by its value.
    return value.map((entry: unknown, index) => withoutSecrets(entry, optionIn(value[index - 1]) ?? name));
  if (!isPlainObject(value)) return value;
  // The value of a variable, header or parameter has the name beside it.
  const entryName = typeof value['name'] === 'string' ? value['name'] : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      withoutSecrets(entry, key === 'value' ? (entryName ?? name) : key),
    ]),
  );
}

const optionIn = (previous: unknown): string | undefined =>
  typeof previous === 'string' && /^--?[\w.-]+$/.test(previous) ? previous : undefined;
