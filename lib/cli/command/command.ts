import { type Arguments, type CommandOption } from './arguments';
import { type ExitCode } from './exit-codes';
import { type Io } from '../io/io';

/** One verb of the command line. */
export interface Command<Name extends string = string> {
  /** What `--help` prints. */
  readonly help: string;
  /** Options beside `--help`, which every verb has. */
  readonly options: Readonly<Record<Name, CommandOption>>;
  /** What its first word is one of. @default - any word */
  readonly subcommands?: readonly string[];
  run(given: Arguments<Name>, io: Io): Promise<ExitCode>;
}

/** All verbs by name, each loaded when it is called. */
export type CommandTable = Readonly<Record<string, { readonly does: string; readonly load: () => Command }>>;

/** Makes a verb; the names of its options are known to its `run`. */
export const defineCommand = <Name extends string>(made: Command<Name>): Command => made;
