import { parseDuration, type Problem } from '../api';

/** Reads environment variables and collects their problems. */
export class EnvReader {
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** Returns a required variable; `what` describes its value. */
  required(name: string, what: string): string {
    const value = this.environment[name] ?? '';
    if (value === '')
      this.problems.push({ code: 'required', path: [name], reason: 'is not set', remedy: `set it to ${what}` });
    return value;
  }

  /** Returns a duration in milliseconds, or the default. */
  duration(name: string, defaultValue: number): number {
    const text = this.environment[name];
    const read = text === undefined ? defaultValue : parseDuration(text)?.millis;
    if (read === undefined)
      this.problems.push({
        code: 'bad-format',
        path: [name],
        value: text,
        reason: 'is not a duration',
        remedy: 'use a duration such as 90m or 6h',
      });
    return read ?? defaultValue;
  }

  /** Returns a comma-separated list of known names, empty by default. `what` describes a name. */
  list<T extends string>(name: string, all: readonly T[], what: string): readonly T[] {
    const given = (this.environment[name] ?? '').split(',').filter((one) => one !== '');
    for (const value of given)
      if (!all.some((one) => one === value))
        this.problems.push({
          code: 'unsupported-value',
          path: [name],
          value,
          reason: `is not a ${what}`,
          remedy: `use ${all.join(', ')}`,
        });
    return all.filter((one) => given.includes(one));
  }
}
