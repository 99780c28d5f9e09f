import { nearest, parseDuration } from '../../api';
import { type OptionSpec } from './command-spec';
import { type UsageReporter } from './usage-error';
import { type OptionValueType } from './option-value-type';

/** Joins names in a sentence: `a, b or c`. */
export const joinAlternatives = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

/** Source of an option or argument, to which its problems refer. */
export interface ValueSource {
  /** Option, argument or variable as entered. */
  readonly shown: string;
  readonly report: UsageReporter;
}

/** Parses the text of an option that takes a value. Reports a problem and returns undefined for an invalid text. */
export function parseOptionValue(
  option: Exclude<OptionSpec, { type: 'flag' }>,
  text: string,
  source: ValueSource,
): unknown {
  switch (option.type) {
    case 'string':
      return text;
    case 'integer':
      return parseTyped(integerType(option), text, source);
    case 'duration':
      return parseTyped(durationType(option), text, source);
    case 'choice':
      return parseTyped(choiceType(option.choices), text, source);
    case 'parsed':
      return parseTyped(option.valueType, text, source);
    case 'list':
      return parseList(option.choices ? choiceType(option.choices) : option.items, text, source);
  }
}

/** Parses a string that must be one of `choices`. Reports a problem otherwise. */
export const parseChoice = (text: string, choices: readonly string[], source: ValueSource): string | undefined =>
  parseTyped(choiceType(choices), text, source);

function parseTyped<T>(type: OptionValueType<T>, text: string, { shown, report }: ValueSource): T | undefined {
  const value = type.parse(text);
  if (value !== undefined) return value;
  const suggestion = type.suggest?.(text);
  report({
    subject: shown,
    reason: `must be ${type.expected}`,
    ...(type.isSensitive?.(text) !== true && { value: text }),
    ...(suggestion !== undefined && { remedy: `did you mean ${suggestion}?` }),
  });
  return undefined;
}

function parseList(type: OptionValueType<string> | undefined, text: string, source: ValueSource): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (!items.includes('')) return type ? items.flatMap((item) => parseTyped(type, item, source) ?? []) : items;
  source.report({ subject: source.shown, reason: 'must be a list without empty items', value: text });
  return [];
}

const choiceType = (choices: readonly string[]): OptionValueType<string> => ({
  valueName: choices.join('|'),
  expected: joinAlternatives(choices),
  parse: (text) => (choices.includes(text) ? text : undefined),
  suggest: (text) => nearest(text, choices),
});

const integerType = ({ min, max }: { readonly min: number; readonly max: number }): OptionValueType<number> => ({
  valueName: 'COUNT',
  expected: `an integer from ${min} to ${max}`,
  parse(text) {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  },
});

const durationType = ({ min, max }: { readonly min?: string; readonly max?: string }): OptionValueType<number> => ({
  valueName: 'DURATION',
  expected: max === undefined ? 'a duration such as 90s, 15m or 6h' : `a duration from ${min ?? '1ms'} to ${max}`,
  parse(text) {
    const limit = (bound: string | undefined): number | undefined => parseDuration(bound ?? '')?.millis;
    const millis = parseDuration(text)?.millis ?? 0;
    return millis > 0 && millis >= (limit(min) ?? 0) && millis <= (limit(max) ?? Infinity) ? millis : undefined;
  },
});
