import { isCommandGroup, type CommandEntry, type CommandTable } from '../../command/command';
import { type ArgumentSpec, type OptionSpec } from '../../command/command-spec';
import { withHelpOption } from '../../command/option-text';

/** An option in shell completion. */
export interface CompletedOption {
  /** `output`. */
  readonly name: string;
  /** `o`. */
  readonly short?: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Allowed values; if empty, any value, such as a file name. */
  readonly values: readonly string[];
  /** Whether it takes several comma-separated values. */
  readonly isList: boolean;
}

/** A value of the next argument. */
export interface CompletedWord {
  readonly word: string;
  readonly description?: string;
}

/** Completions after a command or command group. */
export interface CompletionNode {
  /** Command and subcommand names; empty for the program itself. */
  readonly path: readonly string[];
  /** Subcommands, or values of the first argument; if empty, any value. */
  readonly words: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
}

/** Returns the completion nodes of a command and of all commands below it. */
export function completionNodes(entry: CommandEntry, path: readonly string[] = []): readonly CompletionNode[] {
  const command = entry.load();
  if (!isCommandGroup(command)) {
    const [first] = Object.values(command.arguments ?? {});
    const words = [...subcommandWords(command.subcommands), ...argumentWords(first)];
    const own = { path, words, options: completedOptions(withHelpOption(command.options)) };
    return [own, ...nodesBelow(command.subcommands, path)];
  }
  const { subcommands } = command;
  const words = subcommandWords(subcommands);
  const version = { version: { type: 'flag', short: 'V', description: 'show the version of pinion' } } as const;
  const options = completedOptions(withHelpOption(path.length === 0 ? version : {}));
  return [{ path, words, options }, ...nodesBelow(subcommands, path)];
}

const subcommandWords = (subcommands: CommandTable = {}): readonly CompletedWord[] =>
  Object.entries(subcommands).map(([word, { summary }]) => ({ word, description: summary }));

const nodesBelow = (subcommands: CommandTable = {}, path: readonly string[]): readonly CompletionNode[] =>
  Object.entries(subcommands).flatMap(([name, subcommand]) => completionNodes(subcommand, [...path, name]));

const argumentWords = (argument: ArgumentSpec | undefined): readonly CompletedWord[] =>
  (argument?.choices ?? argument?.suggestions ?? []).map((word) => ({ word }));

const completedOptions = (options: Readonly<Record<string, OptionSpec>>): readonly CompletedOption[] =>
  Object.entries(options).map(([name, option]) => ({
    name,
    ...(option.short !== undefined && { short: option.short }),
    description: option.description,
    takesValue: option.type !== 'flag',
    values: ('choices' in option ? option.choices : undefined) ?? [],
    isList: option.type === 'list',
  }));

/** Returns an option with its dashes, including the short form. */
export const optionFlags = ({ name, short }: CompletedOption): string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
];

/** Quotes text for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
