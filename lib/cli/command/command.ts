import { type Io } from '../io/io';
import {
  type ArgumentSpecs,
  type ArgumentValues,
  type CommandSpec,
  type OptionSpecs,
  type OptionValues,
} from './command-spec';
import { type ExitCode } from './exit-codes';

/** A parsed command line of one command. */
export interface ParsedCommandLine<A = ArgumentSpecs, O = OptionSpecs> {
  readonly args: ArgumentValues<A>;
  readonly options: OptionValues<O>;
}

/** A command: its description and what it does. */
export interface Command extends CommandSpec {
  /** Subcommands, which take precedence over a first argument of the same name. @default - none */
  readonly subcommands?: CommandTable;
  run(parsed: { readonly args: object; readonly options: object }, io: Io): Promise<ExitCode>;
}

/** A command that consists of subcommands. */
export interface CommandGroup extends Pick<CommandSpec, 'description' | 'examples' | 'exitCodes'> {
  readonly subcommands: CommandTable;
  readonly run?: undefined;
}

/** Commands by name, each loaded when it is called. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** A command in its table. */
export interface CommandEntry {
  /** Imperative, lower case, without a final period. */
  readonly summary: string;
  readonly load: () => Command | CommandGroup;
}

/** Creates a command; the types of its parsed values are inferred from its description. */
export const defineCommand = <
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  command: CommandSpec<A, O> &
    Pick<Command, 'subcommands'> & { run(parsed: ParsedCommandLine<A, O>, io: Io): Promise<ExitCode> },
): Command => command;

/** Returns whether a command consists of subcommands, and does nothing itself. */
export const isCommandGroup = (command: Command | CommandGroup): command is CommandGroup => command.run === undefined;
