import { type Arguments, UsageError } from './arguments';

/** An option, and what has to be given for it to say anything. */
interface Needs {
  readonly option: string;
  readonly of: string;
}

/** Refuses options that a word of a verb does not take, all at once: ignored in silence, they would seem to count. */
export function onlyOptionsOf(
  called: string,
  taken: readonly string[],
  { texts, flags }: Arguments,
  needs: readonly Needs[] = [],
): void {
  const given = Object.keys({ ...texts, ...flags });
  const strange = given.filter((option) => !taken.includes(option));
  if (strange.length > 0)
    throw new UsageError(
      `${called} takes no ${strange.map(dashed).join(', ')}; it takes ${taken.map(dashed).join(', ')}`,
    );
  const idle = needs.find(({ option, of }) => given.includes(option) && !given.includes(of));
  if (idle) throw new UsageError(`${dashed(idle.option)} goes with ${dashed(idle.of)}`);
}

const dashed = (option: string): string => `--${option}`;
