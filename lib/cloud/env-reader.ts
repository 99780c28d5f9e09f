import { parseDuration, type Problem } from '../api';

/** Reads environment variables and collects their problems. */
export class EnvReader {
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** Returns a required variable; `description` describes its value. */
  required(name: string, description: string): string {
    const value = this.environment[name] ?? '';
    if (value === '')
      this.problems.push({ code: 'required', path: [name], reason: 'is not set', remedy: `set it to ${description}` });
    return value;
  }

  /** Returns a duration in milliseconds, or the default. */
  duration(name: string, defaultValue: number): number {
    const text = this.environment[name];
    const millis = text === undefined ? defaultValue : parseDuration(text)?.millis;
    if (millis === undefined)
      this.problems.push({
        code: 'bad-format',
        path: [name],
        value: text,
        reason: 'is not a duration',
        remedy: 'use a duration such as 90m or 6h',
      });
    return millis ?? defaultValue;
  }

  /** Returns a comma-separated list of known names, empty by default. `description` describes a name. */
  list<T extends string>(name: string, all: readonly T[], description: string): readonly T[] {
    const values = (this.environment[name] ?? '').split(',').filter((one) => one !== '');
    for (const value of values)
      if (!all.some((one) => one === value))
        this.problems.push({
          code: 'unsupported-value',
          path: [name],
          value,
          reason: `is not a ${description}`,
          remedy: `use ${all.join(', ')}`,
        });
    return all.filter((one) => values.includes(one));
  }
}
