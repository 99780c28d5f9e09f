import { type Problem } from '../api';

const required = {
  code: 'required',
  reason: 'is not set',
  remedy: 'set the variable, as the traffic part of the runtime profile does',
} as const;

/** Reads environment variables and collects their problems. */
export class SettingsReader {
  /** Problems so far. */
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** Returns a string; an empty variable counts as not set, which is a problem without a default. */
  text(name: string, defaultValue?: string): string {
    const value = this.environment[name] || defaultValue;
    if (value === undefined) this.problems.push({ path: [name], ...required });
    return value ?? '';
  }

  /** Returns a number in a range, or its default. */
  number(name: string, defaultValue: number | undefined, min: number, max: number, isInteger = true): number {
    const text = this.text(name, defaultValue === undefined ? undefined : String(defaultValue));
    const value = Number(text);
    if (text !== '' && (!(value >= min && value <= max) || (isInteger && !Number.isInteger(value))))
      this.report(
        name,
        text,
        `is not ${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}`,
        'use a number in this range',
      );
    return value;
  }

  /** Reports an invalid value. */
  report(name: string, value: string, reason: string, remedy: string): void {
    this.problems.push({ code: 'bad-format', path: [name], value, reason, remedy });
  }
}
