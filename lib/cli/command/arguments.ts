import { parseArgs } from 'node:util';
import { nearest } from '../../api';

/** Thrown when the command line is wrong; the message says what and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}

/** One option of a verb. */
export interface CommandOption {
  /** `string` takes a value. */
  readonly type: 'string' | 'boolean';
  /** One letter. */
  readonly short?: string;
  /** The values that it takes; any where absent. */
  readonly values?: readonly string[];
  /** The values of which it takes several, with commas between them; any where absent. */
  readonly listOf?: readonly string[];
}

/** The parts of a text with commas between them. */
export const splitList = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A command line, taken apart. */
export interface Arguments<Name extends string = string> {
  readonly positionals: readonly string[];
  /** Values of options that take one. */
  readonly values: { readonly [N in Name]?: string };
  /** Options without a value that were given. */
  readonly flags: { readonly [N in Name]?: true };
}

/** Takes a command line apart; throws a `UsageError` for options that are unknown, lack a value or have a wrong one. */
export function parseArguments<Name extends string>(
  argv: readonly string[],
  options: Readonly<Record<Name, CommandOption>>,
): Arguments<Name> {
  const known: Readonly<Record<string, CommandOption>> = options;
  const plain = Object.entries(known).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(plain) as Record<string, { type: 'string' | 'boolean' }>,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const texts: Record<string, string> = {};
  const flags: Record<string, true> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!option) throw unknownOption(token.rawName, Object.keys(known));
    if (option.type === 'string') texts[token.name] = valueOf(token, option);
    else if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
    else flags[token.name] = true;
  }
  return { positionals: words, values: texts as { [N in Name]?: string }, flags: flags as { [N in Name]?: true } };
}

function valueOf(
  token: { readonly rawName: string; readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
  { values, listOf: several }: CommandOption,
): string {
  const { rawName, value, inlineValue } = token;
  if (value === undefined || (!inlineValue && value.length > 1 && value.startsWith('-')))
    throw new UsageError(`${rawName} needs a value${values ? `: ${values.join(' or ')}` : ''}`);
  if (values && !values.includes(value))
    throw new UsageError(`${rawName} takes ${values.join(' or ')}, not ${JSON.stringify(value)}`);
  const strange = several && splitList(value).find((part) => !several.includes(part));
  if (strange !== undefined)
    throw new UsageError(`${rawName} takes ${several?.join(', ')}, not ${JSON.stringify(strange)}`);
  return value;
}

function unknownOption(given: string, known: readonly string[]): UsageError {
  const guess = nearest(given.replace(/^-+/, ''), known);
  return new UsageError(`unknown option ${given}${guess ? `; did you mean --${guess}?` : ''}`);
}
