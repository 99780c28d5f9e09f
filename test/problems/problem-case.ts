import { type Problem } from '../../lib/api';

/** One bad input, and the problem that stands for the rule it breaks. */
export interface ProblemCase {
  readonly title: string;
  /** A whole document. */
  readonly input: unknown;
  readonly expected: {
    readonly code: Problem['code'];
    /** As `formatPath` writes it. */
    readonly path: string;
    readonly rule?: string;
  };
  /** Whether the schema and rules of the CRD alone refuse it. */
  readonly serverRefuses: boolean;
}

/** What a case says of the document it is about. */
export type Fields = Readonly<Record<string, unknown>>;

/** Makers of cases whose inputs are what `documentOf` makes of what each case says. */
export function casesAbout<Said>(documentOf: (said: Said) => unknown) {
  const maker =
    (serverRefuses: boolean) =>
    (title: string, said: Said, code: Problem['code'], path: string, rule?: string): ProblemCase => ({
      title,
      input: documentOf(said),
      expected: { code, path, ...(rule !== undefined && { rule }) },
      serverRefuses,
    });
  return {
    /** Refused by the schema and rules of the CRD alone. */
    broken: maker(true),
    /** Refused by us alone: the CRD cannot say it, or not at its price, or it only shows when workload and cluster meet. */
    seenByUs: maker(false),
  };
}
