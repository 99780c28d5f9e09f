import { type Problem } from '../api';

const required = {
  code: 'required',
  reason: 'is not set',
  remedy: 'give the variable; the traffic part of the runtime profile does',
} as const;

/** Reads variables and gathers what is wrong with them. */
export class Variables {
  /** What is wrong so far. */
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** A text; a variable that is empty counts as not set, and is a problem without another value for it. */
  text(name: string, otherwise?: string): string {
    const value = this.environment[name] || otherwise;
    if (value === undefined) this.problems.push({ path: [name], ...required });
    return value ?? '';
  }

  /** A number between two others, or what stands in for it. */
  number(name: string, otherwise: number | undefined, lowest: number, highest: number, whole = true): number {
    const text = this.text(name, otherwise === undefined ? undefined : String(otherwise));
    const value = Number(text);
    if (text !== '' && (!(value >= lowest && value <= highest) || (whole && !Number.isInteger(value))))
      this.refuse(name, text, `is no ${whole ? 'whole ' : ''}number from ${lowest} to ${highest}`, 'give one');
    return value;
  }

  /** Notes that the value of a variable cannot be used. */
  refuse(name: string, value: string, reason: string, remedy: string): void {
    this.problems.push({ code: 'bad-format', path: [name], value, reason, remedy });
  }
}
