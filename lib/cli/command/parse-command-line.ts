import { parseArgs } from 'node:util';
import { nearest } from '../../api';
import { type ArgumentSpec, type CommandSpec, type OptionSpec, type OptionSpecs } from './command-spec';
import { usageLine, valueNameOf, withHelpOption } from './option-text';
import { checkChoice, parseOptionValue } from './parse-option-value';
import { UsageError } from './usage-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** Parsed values, or that help is asked for. */
type ParseResult = 'help' | { readonly args: Record<string, unknown>; readonly options: Record<string, unknown> };

/** Parses the arguments of a command by its description. Throws a `UsageError` for the first one that is invalid. */
export function parseCommandLine(
  path: readonly string[],
  spec: CommandSpec,
  argv: readonly string[],
  environment: Environment,
): ParseResult {
  const options = withHelpOption(spec.options);
  const { tokens } = parseArgs({ ...parserConfig(options), args: [...argv] });
  const given = tokens.filter((token) => token.kind === 'option');
  if (given.some(({ name }) => name === 'help')) return 'help';
  const values: Record<string, unknown> = {};
  for (const token of given) {
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw unknownOption(token.rawName, Object.keys(options));
    const value = tokenValue(token, option);
    values[token.name] =
      option.type === 'list' ? [...((values[token.name] ?? []) as string[]), ...(value as string[])] : value;
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const args = argumentValues(path, spec, positionals);
  checkCombinations(values, options);
  return { args, options: withDefaults(path, values, spec.options ?? {}, environment) };
}

const parserConfig = (options: OptionSpecs) => ({
  options: Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [
      name,
      { type: type === 'flag' ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  ),
  allowPositionals: true,
  strict: false,
  tokens: true as const,
});

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function tokenValue({ rawName, value, inlineValue }: OptionToken, option: OptionSpec): unknown {
  if (option.type === 'flag') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, but got ${JSON.stringify(value)}`);
    return true;
  }
  if (value === undefined || (!inlineValue && value.length > 1 && value.startsWith('-')))
    throw new UsageError(`${rawName} requires a value: ${valueNameOf(option)}`);
  return parseOptionValue(option, value, rawName);
}

function unknownOption(given: string, known: readonly string[]): UsageError {
  const guess = nearest(given.replace(/^-+/, ''), known);
  return new UsageError(`unknown option ${given}${guess === undefined ? '' : `; did you mean --${guess}?`}`);
}

function argumentValues(
  path: readonly string[],
  spec: CommandSpec,
  positionals: readonly string[],
): Record<string, unknown> {
  const rest = [...positionals];
  const values: Record<string, unknown> = {};
  for (const [key, argument] of Object.entries(spec.arguments ?? {})) {
    const taken = argument.repeatable === true ? rest.splice(0) : rest.splice(0, 1);
    if (taken.length === 0 && argument.required === true) throw missingArgument(path, argument);
    for (const word of taken) if (argument.choices) checkChoice(word, argument.choices, argument.valueName);
    if (argument.repeatable === true) values[key] = taken;
    else if (taken.length > 0) values[key] = taken[0];
  }
  if (rest.length > 0)
    throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}; usage: ${usageLine(path, spec)}`);
  return values;
}

const missingArgument = (path: readonly string[], { valueName, description, choices }: ArgumentSpec): UsageError =>
  new UsageError(`${path.join(' ')} requires ${valueName}: ${choices?.join(', ') ?? description}`);

function checkCombinations(values: Readonly<Record<string, unknown>>, options: OptionSpecs): void {
  for (const name of Object.keys(values)) {
    const { requires, conflictsWith = [] } = options[name] ?? {};
    if (requires !== undefined && !(requires in values)) throw new UsageError(`--${name} requires --${requires}`);
    const conflict = conflictsWith.find((other) => other in values);
    if (conflict !== undefined) throw new UsageError(`--${name} cannot be combined with --${conflict}`);
  }
}

function withDefaults(
  path: readonly string[],
  given: Readonly<Record<string, unknown>>,
  options: OptionSpecs,
  environment: Environment,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = given[name] ?? (option.type === 'flag' ? false : fallbackValue(option, environment));
    if (value !== undefined) values[name] = value;
    else if (option.type !== 'flag' && option.required === true) throw missingOption(path, name, option);
  }
  return values;
}

/** Value of the environment, else the default. An empty variable counts as unset. */
function fallbackValue(option: Exclude<OptionSpec, { type: 'flag' }>, environment: Environment): unknown {
  const text = option.environment === undefined ? undefined : environment[option.environment];
  if (text !== undefined && text !== '') return parseOptionValue(option, text, option.environment ?? '');
  if (option.type === 'list' || option.default === undefined) return undefined;
  return typeof option.default === 'string' ? parseOptionValue(option, option.default, '') : option.default;
}

function missingOption(path: readonly string[], name: string, option: OptionSpec): UsageError {
  const variable = option.environment === undefined ? '' : `; give it or set ${option.environment}`;
  return new UsageError(`${path.join(' ')} requires --${name} ${valueNameOf(option)}${variable}`);
}
