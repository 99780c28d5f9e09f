import { parseQuantity, type Quantity } from '../../api';

/** The type of a value on the command line: how it is described, checked and parsed. */
export interface OptionValueType<T> {
  /** Placeholder of the value in help. */
  readonly valueName: string;
  /** Text that follows "must be" in errors. */
  readonly expected: string;
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  /** Returns a suggestion for an invalid value. @default - no suggestion */
  readonly suggest?: (text: string) => string | undefined;
  /** Whether errors must not show a value. @default - errors show it */
  readonly isSensitive?: (text: string) => boolean;
}

/** Type of an arbitrary string. */
export const textType = (valueName: string, expected: string, isValid: (text: string) => boolean) =>
  ({
    valueName,
    expected,
    parse: (text) => (isValid(text) ? text : undefined),
  }) as const satisfies OptionValueType<string>;

const billion = 1_000_000_000;

/** Type of a decimal number without suffix. */
export function decimalType(limits: { readonly min: number; readonly max?: number; readonly example: string }) {
  const { min, max, example } = limits;
  const range = max === undefined ? '' : ` from ${min} to ${max},`;
  return {
    valueName: 'NUMBER',
    expected: `a number${range} such as ${example}`,
    parse(text: string): Quantity | undefined {
      const quantity = /^\d+(\.\d+)?$/.test(text) ? parseQuantity(text) : undefined;
      if (quantity === undefined || quantity.nanos < BigInt(min * billion)) return undefined;
      return max === undefined || quantity.nanos <= BigInt(max * billion) ? quantity : undefined;
    },
  } as const satisfies OptionValueType<Quantity>;
}

/** Type of an amount of bytes, such as `8Gi`; its parsed value is in bytes. */
export function sizeType({ min, example }: { readonly min: string; readonly example: string }) {
  const parse = (text: string): number | undefined => {
    const quantity = parseQuantity(text);
    return quantity && Number(quantity.nanos) / billion;
  };
  const minBytes = parse(min) ?? 0;
  return {
    valueName: 'SIZE',
    expected: `a size of at least ${min}, such as ${example}`,
    parse(text: string): number | undefined {
      const bytes = parse(text);
      return bytes !== undefined && bytes >= minBytes ? bytes : undefined;
    },
    suggest: (text: string) => (/^[1-9]\d{0,2}$/.test(text) ? `${text}Gi` : undefined),
  } as const satisfies OptionValueType<number>;
}

/** Format of a list of key-value pairs. */
interface KeyValueForm {
  readonly valueName: string;
  readonly expected: string;
  readonly key: RegExp;
  readonly value: RegExp;
  /** Separates two pairs. */
  readonly separator: string | RegExp;
}

/** Type of a list of keys with values, such as `team=shop,tier=batch`. */
export const keyValuesType = ({ valueName, expected, key, value, separator }: KeyValueForm) =>
  ({
    valueName,
    expected,
    parse(text: string): Readonly<Record<string, string>> | undefined {
      const pairs = text.split(separator).map((pair) => {
        const index = pair.indexOf('=');
        return [pair.slice(0, Math.max(0, index)), pair.slice(index + 1)] as const;
      });
      return pairs.every((pair) => key.test(pair[0]) && value.test(pair[1])) ? Object.fromEntries(pairs) : undefined;
    },
  }) as const satisfies OptionValueType<Readonly<Record<string, string>>>;

/** Returns the URL in a string; undefined unless its scheme is http or https. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/** Type of an http or https URL. */
export const httpUrlType = (example: string) =>
  ({
    valueName: 'URL',
    expected: `a URL such as ${example}`,
    parse: parseHttpUrl,
  }) as const satisfies OptionValueType<URL>;
