import { formatDuration, parseDuration } from '../values/duration';
import { formatQuantity, parseQuantity } from '../values/quantity';

/** Value of a build property. */
export type PropertyValue = string | number | boolean;

/** Format of the values of one type. */
interface PropertyForm {
  /** Clause for messages, after "is not". */
  readonly what: string;
  readonly example: PropertyValue;
  /** Normalized value; undefined if it does not have the type. */
  readonly read: (value: PropertyValue) => PropertyValue | undefined;
}

const matching =
  (pattern: RegExp, max: number) =>
  (value: PropertyValue): string | undefined =>
    typeof value === 'string' && value.length <= max && pattern.test(value) ? value : undefined;

const host = String.raw`[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*(:[0-9]{1,5})?`;
const part = String.raw`[a-z0-9]+((\.|_{1,2}|-+)[a-z0-9]+)*`;
const image = new RegExp(
  String.raw`^(${host}/)?${part}(/${part})*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$`,
);

/** Types of build properties, with the formats of their values. */
export const propertyTypes = {
  image: {
    what: 'an image with a tag or a digest',
    example: 'registry.example.com/cart:2.7.0',
    read: matching(image, 512),
  },
  commit: {
    what: 'the whole hash of a commit',
    example: '3f786850e387550fdab836ed7e6dc881de23001b',
    read: matching(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 64),
  },
  version: {
    what: 'a version',
    example: '2.7.0',
    read: matching(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, 63),
  },
  text: { what: 'a text on one line', example: 'eu-checkout', read: matching(/^[^\p{Cc}\p{Surrogate}]*$/u, 4096) },
  integer: {
    what: 'a whole number',
    example: 3,
    read: (value) => (Number.isSafeInteger(value) ? Number(value) + 0 : undefined),
  },
  number: {
    what: 'a number',
    example: 0.5,
    read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined),
  },
  boolean: { what: 'true or false', example: true, read: (value) => (typeof value === 'boolean' ? value : undefined) },
  quantity: {
    what: 'a quantity',
    example: '512Mi',
    read: (value) => {
      const parsed =
        typeof value === 'string' || Number.isSafeInteger(value) ? parseQuantity(value as string) : undefined;
      return parsed && formatQuantity(parsed);
    },
  },
  duration: {
    what: 'a duration',
    example: '90s',
    read: (value) => {
      const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
      return parsed && formatDuration(parsed);
    },
  },
} as const satisfies Record<string, PropertyForm>;

/** Name of a type of build properties. */
export type PropertyType = keyof typeof propertyTypes;

/** Names of all types of build properties. */
export const propertyTypeNames = Object.keys(propertyTypes) as [PropertyType, ...PropertyType[]];

/** Returns the normalized value; undefined if it does not have the type. */
export const readProperty = (type: PropertyType, value: PropertyValue): PropertyValue | undefined =>
  propertyTypes[type].read(value);

/** Parses a value of a type from the command line, with YAML notation of numbers and booleans; undefined if invalid. */
export function parseProperty(type: PropertyType, text: string): PropertyValue | undefined {
  if (typeof propertyTypes[type].example === 'number')
    return /^-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?$/i.test(text) ? readProperty(type, Number(text)) : undefined;
  if (type === 'boolean') return { true: true, false: false }[text];
  return readProperty(type, text);
}
