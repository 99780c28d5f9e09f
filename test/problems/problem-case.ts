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
