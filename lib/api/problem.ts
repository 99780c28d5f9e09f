/** Where a person wrote the thing that a problem is about: 1-based line and column of a file. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Keys and indexes that lead from a document's root to a field. */
export type FieldPath = readonly (string | number)[];

/** What can be wrong with an input, one sentence each; the keys are the closed set of problem codes. */
export const problemCodes = {
  'parse-error': 'The text is not a document: not UTF-8, not YAML or JSON, too large, or made to exhaust the reader.',
  'unknown-kind': 'The document is of no kind that can be read here.',
  'unknown-field': 'The field does not exist.',
  'wrong-type': 'The value has the wrong type.',
  required: 'A field that must be given is missing.',
  'bad-format': 'The text does not have the form that the field needs.',
  'unsupported-value': 'The value is none of those that the field allows.',
  'out-of-range': 'The number, length or count lies outside the allowed range.',
  duplicate: 'Two entries that must differ are the same.',
  'invalid-combination': 'Fields that are each right do not go together.',
  'platform-owned': 'The platform sets this field; a person says it elsewhere or not at all.',
  'unknown-reference': 'Something is named that the document does not define.',
  'not-available': 'This Platform, RuntimeProfile or Project does not offer what is asked for.',
  'unsupported-field': "The Platform's Kubernetes version does not know this field.",
  'needs-controller': 'Only the controller can do this at run time; the native door cannot.',
  'bad-patch': 'A patch does not apply, changes nothing, or leaves an object that Kubernetes would refuse.',
  'untrusted-artifact': 'What was published was changed since, or was not signed by anybody who may.',
  'precondition-failed': 'Something has to come before: an earlier stage, an approval, or time.',
} as const;

/** One of the closed set of problem codes. */
export type ProblemCode = keyof typeof problemCodes;

/** One thing that is wrong: where, what was found there, why that is wrong and what to do about it. */
export interface Problem {
  readonly code: ProblemCode;
  /** Absolute path within the document, `['spec', 'replicas']`. */
  readonly path: FieldPath;
  /** What was found at the path; absent where the value is missing or must not be shown. */
  readonly value?: unknown;
  /** Why it is wrong: a clause without a full stop. */
  readonly reason: string;
  /** What to do about it: an instruction without a full stop. */
  readonly remedy: string;
  /** Name of the rule that was broken, where one rule among several speaks. */
  readonly rule?: string;
  /** @default error */
  readonly severity?: 'error' | 'warning';
  /** Which document, as `Kind namespace/name`. */
  readonly object?: string;
  /** The person's line, or the call site of a construct. */
  readonly source?: Source;
}

/** Writes a path as Kubernetes does: `spec.template.spec.containers[0].image`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? '(document)' : text;
}

/** Writes a value for a message: JSON, cut to 80 characters. */
export function formatValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

/** Writes a problem on one line: source, severity, code, path, value, reason, remedy. */
export function explainProblem(problem: Problem): string {
  const { source, object, severity = 'error', code, path, reason, remedy } = problem;
  const where = source ? `${source.file}:${source.line}:${source.column}: ` : '';
  const what = object ? `${object}: ` : '';
  const value = problem.value === undefined ? '' : ` ${formatValue(problem.value)}`;
  return `${where}${severity} ${code}: ${what}${formatPath(path)}:${value} ${reason}; ${remedy}`;
}

/** Thrown when an input has problems; carries all of them. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError' as const;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(explainProblem).join('\n'));
    this.problems = problems;
    // The message says them all; an uncaught error would show them twice.
    Object.defineProperty(this, 'problems', { enumerable: false });
  }
}

/** True for a problem that stops the work; warnings do not. */
export const isError = (problem: Problem): boolean => problem.severity !== 'warning';
