import { parseDuration, type Problem } from '../api';

/** Reads variables of an environment, and keeps all that is wrong with them. */
export class Variables {
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** A variable that must be there; `what` says what to set it to. */
  needed(name: string, what: string): string {
    const value = this.environment[name] ?? '';
    if (value === '')
      this.problems.push({ code: 'required', path: [name], reason: 'is not set', remedy: `set it to ${what}` });
    return value;
  }

  /** A length of time in milliseconds; the usual one where it is not said. */
  duration(name: string, usual: number): number {
    const text = this.environment[name];
    const read = text === undefined ? usual : parseDuration(text)?.millis;
    if (read === undefined)
      this.problems.push({
        code: 'bad-format',
        path: [name],
        value: text,
        reason: 'is no duration',
        remedy: 'write it as 90m or 6h',
      });
    return read ?? usual;
  }

  /** Some of the names that there are, with commas between; none where it is not said. `what` says what a name is. */
  someOf<T extends string>(name: string, all: readonly T[], what: string): readonly T[] {
    const given = (this.environment[name] ?? '').split(',').filter((one) => one !== '');
    for (const value of given)
      if (!all.some((one) => one === value))
        this.problems.push({
          code: 'not-one-of',
          path: [name],
          value,
          reason: `is no ${what}`,
          remedy: `use ${all.join(', ')}`,
        });
    return all.filter((one) => given.includes(one));
  }
}
