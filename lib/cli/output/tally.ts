import { redactProblem, explainProblem, isError, type Problem } from '../../api';

import { type Io } from '../io/io';

/** Counts the results of a command, and prints them in one line. */
export class Summary {
  workloads = 0;
  objects = 0;
  errors = 0;
  warnings = 0;
  private readonly started: number;

  constructor(private readonly io: Io) {
    this.started = io.now();
  }

  count(problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (isError(problem)) this.errors++;
      else this.warnings++;
    }
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.io.now() - this.started) / 1000;
  }

  /** Returns the summary line: workloads, objects, problems, time and source of the Platform. */
  text(origin: string): string {
    const parts = [
      countText(this.workloads, 'workload'),
      countText(this.objects, 'object'),
      ...(this.errors > 0 ? [countText(this.errors, 'error')] : []),
      countText(this.warnings, 'warning'),
      `${this.seconds.toFixed(2)} s`,
    ];
    return `${parts.join(', ')}; platform: ${origin}\n`;
  }
}

/** Returns a number with its noun, such as `2 workloads`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Sorts problems by the order in which their locations were read. */
export function inReadingOrder(problems: readonly Problem[], files: readonly string[]): readonly Problem[] {
  const ranks = new Map(files.map((file, index) => [file, index]));
  const rank = ({ source }: Problem): number => (source ? (ranks.get(source.file) ?? files.length) : -1);
  const line = ({ source }: Problem): number => source?.line ?? 0;
  const column = ({ source }: Problem): number => source?.column ?? 0;
  return [...problems].sort((a, b) => rank(a) - rank(b) || line(a) - line(b) || column(a) - column(b));
}

/** Returns notes, one a line. */
export const noteLines = (notes: readonly string[]): string => notes.map((note) => `${note}\n`).join('');

/** Yields one line per problem, in chunks: there may be hundreds of thousands. */
export function* problemLines(problems: readonly Problem[]): Generator<string> {
  for (let start = 0; start < problems.length; start += 1000)
    yield problems
      .slice(start, start + 1000)
      .map((problem) => `${explainProblem(redactProblem(problem))}\n`)
      .join('');
}
