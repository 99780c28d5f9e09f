import { type Arguments, UsageError } from './arguments';

/** A word of a verb, such as `status` of `pinion quota`. */
interface Word {
  /** The options that it takes. */
  readonly takes: readonly string[];
}

/** An option, and what has to be given for it to say anything. */
interface Needs {
  readonly option: string;
  readonly of: string;
}

/** The word that a command line names. Refuses options that it does not take, all at once: ignored in silence, they would seem to count. */
export function resolveSubcommand<T extends Word>(
  verb: string,
  words: Readonly<Record<string, T>>,
  { positionals: [name], values, flags }: Arguments,
  needs: readonly Needs[] = [],
): T {
  const word = name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
  if (!word)
    throw new UsageError(`${verb} needs a word: ${Object.keys(words).join(', ')}${name ? `, not ${name}` : ''}`);
  const given = Object.keys({ ...values, ...flags });
  const strange = given.filter((option) => !word.takes.includes(option));
  if (strange.length > 0)
    throw new UsageError(`${verb} ${name} takes no ${dashed(strange)}; it takes ${dashed(word.takes)}`);
  const idle = needs.find(({ option, of }) => given.includes(option) && !given.includes(of));
  if (idle) throw new UsageError(`${dashed([idle.option])} goes with ${dashed([idle.of])}`);
  return word;
}

const dashed = (options: readonly string[]): string => options.map((option) => `--${option}`).join(', ');
