import { nearest } from '../../api';
import { type Command, type CommandEntry, type CommandGroup } from './command';
import { joinAlternatives } from './parse-option-value';
import { UsageError } from './usage-error';

/** The command named by the first words of a command line. */
export interface ResolvedCommand {
  /** Its name, after the names of its parent groups. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly command: Command | CommandGroup;
  /** Words after the path. */
  readonly rest: readonly string[];
}

/** Follows the words of a command line down to a command, or to the last group that they name. */
export function resolveCommand(root: CommandEntry, argv: readonly string[]): ResolvedCommand {
  let found: ResolvedCommand = { path: [], summary: root.summary, command: root.load(), rest: argv };
  for (;;) {
    const { command, path, rest } = found;
    const [name, ...more] = rest;
    const { subcommands = {} } = command;
    if (name === undefined) return found;
    const entry = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (!entry) return found;
    found = { path: [...path, name], summary: entry.summary, command: entry.load(), rest: more };
  }
}

/** Returns the error for a missing or unknown subcommand of a group. */
export function unknownSubcommand(
  path: readonly string[],
  { subcommands }: CommandGroup,
  name: string | undefined,
): UsageError {
  const names = Object.keys(subcommands);
  const kind = path.length === 0 ? 'command' : 'subcommand';
  if (name === undefined) return new UsageError(`${path.join(' ')} requires a ${kind}: ${joinAlternatives(names)}`);
  if (name.startsWith('-'))
    return new UsageError(`the ${kind} comes first, before ${name}: ${joinAlternatives(names)}`);
  const suggestion = nearest(name, names);
  const remedy = suggestion === undefined ? `use ${joinAlternatives(names)}` : `did you mean ${suggestion}?`;
  return new UsageError(
    `unknown ${kind} ${JSON.stringify(name)}${path.length === 0 ? '' : ` of ${path.join(' ')}`}; ${remedy}`,
  );
}
