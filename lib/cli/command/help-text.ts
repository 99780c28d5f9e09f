import { isCommandGroup, type Command, type CommandEntry, type CommandGroup, type CommandTable } from './command';
import { type CommandSpec } from './command-spec';
import { exitCodes, exitCodesHelp, type ExitCodeName } from './exit-codes';
import { argumentLabel, optionLabel, optionText, usageLine, withHelpOption } from './option-text';
import { wrapText } from './wrap-text';

/** Columns of a help text. */
const width = 100;
/** Columns of the left side of a list; longer entries have a line of their own. */
const leftWidth = 26;

/** Returns the help of a command, derived from its description; `path` is empty for the program itself. */
export function helpText(path: readonly string[], summary: string, command: Command | CommandGroup): string {
  const name = ['pinion', ...path].join(' ');
  const usage = isCommandGroup(command)
    ? `${name} <${path.length === 0 ? 'command' : 'subcommand'}> [options]`
    : usageLine(path, command);
  const lists = isCommandGroup(command)
    ? groupLists(path, command)
    : [...subcommandList(command.subcommands), ...commandLists(command)];
  return `${[
    `${name}: ${summary}`,
    `Usage: ${usage}`,
    ...paragraphs(command.description),
    ...lists,
    ...examples(command),
    exitCodesText(path, command),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const paragraphs = (text = ''): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => (/^\s{2}/.test(paragraph) ? paragraph : wrapText(paragraph, width).join('\n')));

const list = (title: string, rows: readonly (readonly [string, string])[]): string =>
  rows.length === 0 ? '' : [`${title}:`, ...rows.flatMap(([left, right]) => entry(left, right))].join('\n');

function entry(left: string, right: string): string[] {
  const indent = ' '.repeat(leftWidth + 2);
  const [first = '', ...more] = wrapText(right, width - leftWidth - 2);
  const head = `  ${left}`;
  const start = head.length < leftWidth + 1 ? [`${head.padEnd(leftWidth + 2)}${first}`] : [head, `${indent}${first}`];
  return [...start, ...more.map((line) => `${indent}${line}`)];
}

const commandLists = (spec: CommandSpec): string[] => [
  list(
    'Arguments',
    Object.values(spec.arguments ?? {}).map((argument) => [argumentLabel(argument), argument.description]),
  ),
  list(
    'Options',
    Object.entries(withHelpOption(spec.options)).map(([name, option]) => [
      optionLabel(name, option),
      optionText(option),
    ]),
  ),
];

const subcommandList = (subcommands: CommandTable = {}): string[] => [
  list(
    'Subcommands',
    Object.entries(subcommands).map(([name, { summary }]) => [name, summary]),
  ),
];

const groupLists = (path: readonly string[], { subcommands }: CommandGroup): string[] => [
  list(
    path.length === 0 ? 'Commands' : 'Subcommands',
    Object.entries(subcommands).map(([name, { summary }]: [string, CommandEntry]) => [name, summary]),
  ),
  list('Options', [
    ...(path.length === 0 ? [['-V, --version', 'show the version of pinion'] as const] : []),
    ['-h, --help', 'show this help; also available for each command'],
  ]),
];

const examples = ({ examples: all = [] }: Pick<CommandSpec, 'examples'>): string[] =>
  all.length === 0
    ? []
    : [
        [
          'Examples:',
          ...all.flatMap(({ command, description }) => [
            ...(description === undefined ? [] : [`  # ${description}`]),
            `  ${command}`,
          ]),
        ].join('\n'),
      ];

function exitCodesText(path: readonly string[], { exitCodes: own = {} }: Pick<CommandSpec, 'exitCodes'>): string {
  if (path.length === 0) return exitCodesHelp;
  return list(
    'Exit codes',
    Object.entries(own).map(([name, meaning]) => [String(exitCodes[name as ExitCodeName]), meaning]),
  );
}
