import { nearest, parseDuration } from '../../api';
import { type OptionSpec } from './command-spec';
import { UsageError } from './usage-error';

/** Names in a sentence: `a, b or c`. */
export const joinAlternatives = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

/** Parses the text of an option that takes a value; `shown` is the option as it was given. Throws a `UsageError`. */
export function parseOptionValue(
  option: Exclude<OptionSpec, { type: 'flag' }>,
  text: string,
  shown: string,
): string | number | readonly string[] {
  switch (option.type) {
    case 'string':
      return text;
    case 'integer':
      return integerValue(option, text, shown);
    case 'duration':
      return durationValue(option, text, shown);
    case 'choice':
      return checkChoice(text, option.choices, shown);
    case 'list':
      return listValue(option.choices, text, shown);
  }
}

/** Returns a text that is one of `choices`. Throws a `UsageError` otherwise. */
export function checkChoice(text: string, choices: readonly string[], shown: string): string {
  if (choices.includes(text)) return text;
  const guess = nearest(text, choices);
  throw new UsageError(
    `${shown} must be ${joinAlternatives(choices)}, not ${JSON.stringify(text)}${guess === undefined ? '' : `; did you mean ${guess}?`}`,
  );
}

function listValue(choices: readonly string[] | undefined, text: string, shown: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new UsageError(`${shown} must not have empty items, but got ${JSON.stringify(text)}`);
  return items.map((item) => (choices ? checkChoice(item, choices, shown) : item));
}

function integerValue({ min, max }: { min: number; max: number }, text: string, shown: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${shown} must be an integer from ${min} to ${max}, not ${JSON.stringify(text)}`);
}

function durationValue({ min, max }: { min?: string; max?: string }, text: string, shown: string): number {
  const millis = parseDuration(text)?.millis ?? 0;
  const limit = (bound: string | undefined): number | undefined => parseDuration(bound ?? '')?.millis;
  if (millis > 0 && millis >= (limit(min) ?? 0) && millis <= (limit(max) ?? Infinity)) return millis;
  const range = max === undefined ? 'a duration such as 90s, 15m or 6h' : `a duration from ${min ?? '1ms'} to ${max}`;
  throw new UsageError(`${shown} must be ${range}, not ${JSON.stringify(text)}`);
}
