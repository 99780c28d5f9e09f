import { parseArgs } from 'node:util';
import { nearest } from '../../api';
import { type ArgumentSpec, type CommandSpec, type OptionSpec, type OptionSpecs } from './command-spec';
import { usageLine, valueNameOf, withHelpOption } from './option-text';
import { parseChoice, parseOptionValue } from './parse-option-value';
import { UsageError, type UsageProblem, type UsageReporter } from './usage-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** Parsed values, or a request for help. */
type ParseResult = 'help' | { readonly args: Record<string, unknown>; readonly options: Record<string, unknown> };

/** Parses the arguments of a command by its description. Throws a `UsageError` with all problems. */
export function parseCommandLine(
  path: readonly string[],
  spec: CommandSpec,
  argv: readonly string[],
  environment: Environment,
): ParseResult {
  const specs = withHelpOption(spec.options);
  const { tokens } = parseArgs({ ...parserConfig(specs), args: [...argv] });
  const optionTokens = tokens.filter((token) => token.kind === 'option');
  if (optionTokens.some(({ name }) => name === 'help')) return 'help';
  const problems: UsageProblem[] = [];
  const report: UsageReporter = (problem) => void problems.push(problem);
  const given = givenValues(optionTokens, specs, report);
  const hasUnknown = optionTokens.some(({ name }) => !Object.hasOwn(specs, name));
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  // The value of an unknown option looks like an argument.
  const args = argumentValues(path, spec, positionals, hasUnknown, report);
  const options = withDefaults(path, given, spec.options ?? {}, environment, report);
  checkCombinations(given, options, specs, report);
  if (problems.length > 0) throw new UsageError(...problems);
  return { args, options };
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
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Returns the values of the options on the command line by name; undefined for those with an invalid value. */
function givenValues(
  tokens: readonly OptionToken[],
  options: OptionSpecs,
  report: UsageReporter,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const token of tokens) {
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      report(unknownOption(token.rawName, Object.keys(options)));
      continue;
    }
    const value = tokenValue(token, option, report);
    values[token.name] =
      option.type === 'list' ? [...((values[token.name] ?? []) as string[]), ...((value ?? []) as string[])] : value;
  }
  return values;
}

function tokenValue({ rawName, value, inlineValue }: OptionToken, option: OptionSpec, report: UsageReporter): unknown {
  if (option.type === 'flag') {
    if (value === undefined) return true;
    report({ subject: rawName, reason: 'takes no value', remedy: `omit ${JSON.stringify(value)}` });
    return undefined;
  }
  if (value !== undefined && (inlineValue || value.length === 1 || !value.startsWith('-')))
    return parseOptionValue(option, value, { shown: rawName, report });
  report({ subject: rawName, reason: `requires a value: ${valueNameOf(option)}` });
  return undefined;
}

function unknownOption(given: string, known: readonly string[]): UsageProblem {
  const suggestion = nearest(given.replace(/^-+/, ''), known);
  return {
    subject: 'unknown option',
    reason: given,
    ...(suggestion !== undefined && { remedy: `did you mean --${suggestion}?` }),
  };
}

function argumentValues(
  path: readonly string[],
  spec: CommandSpec,
  positionals: readonly string[],
  allowsExtra: boolean,
  report: UsageReporter,
): Record<string, unknown> {
  const rest = [...positionals];
  const values: Record<string, unknown> = {};
  for (const [key, argument] of Object.entries(spec.arguments ?? {})) {
    const words = argument.repeatable === true ? rest.splice(0) : rest.splice(0, 1);
    if (words.length === 0 && argument.required === true) report(missingArgument(path, argument));
    for (const word of words)
      if (argument.choices) parseChoice(word, argument.choices, { shown: argument.valueName, report });
    if (argument.repeatable === true) values[key] = words;
    else if (words.length > 0) values[key] = words[0];
  }
  if (rest.length > 0 && !allowsExtra)
    report({
      subject: 'unexpected argument',
      reason: JSON.stringify(rest[0]),
      remedy: `usage: ${usageLine(path, spec)}`,
    });
  return values;
}

const missingArgument = (path: readonly string[], { valueName, description, choices }: ArgumentSpec): UsageProblem => ({
  subject: path.join(' '),
  reason: `requires ${valueName}: ${choices?.join(', ') ?? description}`,
});

function withDefaults(
  path: readonly string[],
  given: Readonly<Record<string, unknown>>,
  options: OptionSpecs,
  environment: Environment,
  report: UsageReporter,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    if (name in given) values[name] = given[name];
    else if (option.type === 'flag') values[name] = false;
    else {
      const { text, shown } = fallback(option, environment);
      if (text !== undefined) values[name] = parseOptionValue(option, text, { shown, report });
      else if (isRequired(option, given)) report(missingOption(path, name, option));
    }
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

type ValueOptionSpec = Exclude<OptionSpec, { type: 'flag' }>;

/** Returns the text of the environment, else of the default. An empty variable counts as unset. */
function fallback(
  option: ValueOptionSpec,
  environment: Environment,
): { readonly text?: string; readonly shown: string } {
  const { environment: variable = '' } = option;
  const text = environment[variable] ?? '';
  if (text !== '') return { text, shown: variable };
  if (option.type === 'list' || option.default === undefined) return { shown: '' };
  return { text: String(option.default), shown: '' };
}

const isRequired = ({ required, requiredUnless }: ValueOptionSpec, given: object): boolean =>
  required === true || (requiredUnless !== undefined && !(requiredUnless in given));

function missingOption(path: readonly string[], name: string, option: OptionSpec): UsageProblem {
  return {
    subject: path.join(' '),
    reason: `requires --${name} ${valueNameOf(option)}`,
    ...(option.environment !== undefined && { remedy: `pass it or set ${option.environment}` }),
  };
}

function checkCombinations(
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  options: OptionSpecs,
  report: UsageReporter,
): void {
  const isMet = (condition: string): boolean => {
    const [name = '', value] = condition.split('=');
    return value === undefined ? name in given : values[name] === value;
  };
  for (const name of Object.keys(given)) {
    const { requires, conflictsWith = [] } = options[name] ?? {};
    if (requires !== undefined && !isMet(requires))
      report({ subject: `--${name}`, reason: `requires --${requires.replace('=', ' ')}` });
    const conflict = conflictsWith.find(isMet);
    if (conflict !== undefined)
      report({ subject: `--${name}`, reason: `cannot be combined with --${conflict.replace('=', ' ')}` });
  }
}
