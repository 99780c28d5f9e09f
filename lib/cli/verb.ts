import { type Arguments, type Option } from './arguments';
import { type ExitCode } from './exit-codes';
import { type Io } from './io';

/** One verb of the command line. */
export interface Verb<Name extends string = string> {
  /** What `--help` prints. */
  readonly help: string;
  /** Options beside `--help`, which every verb has. */
  readonly options: Readonly<Record<Name, Option>>;
  /** What its first word is one of. @default - any word */
  readonly words?: readonly string[];
  run(given: Arguments<Name>, io: Io): Promise<ExitCode>;
}

/** All verbs by name, each loaded when it is called. */
export type VerbTable = Readonly<Record<string, { readonly does: string; readonly load: () => Verb }>>;

/** Makes a verb; the names of its options are known to its `run`. */
export const verb = <Name extends string>(made: Verb<Name>): Verb => made;
