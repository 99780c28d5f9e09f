import { type Problem } from '../../lib/api';

/** An invalid input with the problem of the rule that it breaks. */
export interface ProblemCase {
  readonly title: string;
  /** A complete manifest. */
  readonly input: unknown;
  readonly expected: {
    readonly code: Problem['code'];
    /** In the format of `formatPath`. */
    readonly path: string;
    readonly rule?: string;
    /** Whole message, without the location and the object. */
    readonly message?: string;
  };
  /** Whether the schema and rules of the CRD alone reject it. */
  readonly crdRejects: boolean;
}

/** Values of a case for its manifest. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns functions that create cases, whose inputs `documentOf` builds from the given values. */
export function caseBuilders<Said>(documentOf: (said: Said) => unknown) {
  const maker =
    (crdRejects: boolean) =>
    (title: string, said: Said, code: Problem['code'], path: string, rule?: string): ProblemCase => ({
      title,
      input: documentOf(said),
      expected: { code, path, ...(rule !== undefined && { rule }) },
      crdRejects,
    });
  return {
    /** Only pinion reports it; the message begins with the severity, the code and the path. */
    messageCase: (title: string, said: Said, rule: string | undefined, message: string): ProblemCase => {
      const [, code, path] = /^\w+ ([\w-]+): (\S+): /.exec(message) ?? [];
      const expected = {
        code: code as Problem['code'],
        path: String(path),
        message,
        ...(rule !== undefined && { rule }),
      };
      return { title, input: documentOf(said), expected, crdRejects: false };
    },
    /** Rejected by the schema and rules of the CRD alone. */
    crdCase: maker(true),
    /** Rejected only by pinion: the CRD cannot express it, or not within its cost limit, or it depends on the cluster. */
    pinionCase: maker(false),
  };
}
