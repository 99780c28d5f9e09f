import { type Arguments, type Option } from './arguments';
import { type ExitCode } from './exit-codes';
import { type Io } from './io';

/** One verb of the command line. */
export interface Verb<Name extends string = string> {
  /** What `--help` prints. */
  readonly help: string;
  /** Options beside `--help`, which every verb has. */
  readonly options: Readonly<Record<Name, Option>>;
  run(given: Arguments<Name>, io: Io): Promise<ExitCode>;
}

/** Makes a verb; the names of its options are known to its `run`. */
export const verb = <Name extends string>(made: Verb<Name>): Verb => made;
