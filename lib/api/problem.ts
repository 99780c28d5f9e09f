/** Location in a source file; line and column start at 1. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Keys and indexes from the root of a manifest to a field. */
export type FieldPath = readonly (string | number)[];

/** Descriptions of the problem codes, a closed set. */
export const problemCodes = {
  'parse-error': 'The text cannot be parsed: not UTF-8, not YAML or JSON, or beyond the limits of the parser.',
  'unknown-kind': 'The kind of the manifest is not supported.',
  'unknown-field': 'The field does not exist.',
  'wrong-type': 'The value has the wrong type.',
  required: 'A required field is missing.',
  'bad-format': 'The text does not have the required format.',
  'unsupported-value': 'The field does not support the value.',
  'out-of-range': 'The number, length or count is outside the allowed range.',
  duplicate: 'Entries that must be unique are the same.',
  'invalid-combination': 'Fields that are each valid cannot be combined.',
  'platform-owned': 'The platform sets this field; users set it elsewhere or not at all.',
  'unknown-reference': 'The manifest does not define the name that the field refers to.',
  'not-available': 'The Platform, RuntimeProfile or Project does not offer the requested value.',
  'unsupported-field': "The Platform's Kubernetes version does not support this field.",
  'needs-controller': 'Only the controller supports this; native objects do not.',
  'bad-patch': 'A patch does not apply, changes nothing, or results in an invalid object.',
  'untrusted-artifact': 'The artifact was modified after publication, or is not signed by a trusted publisher.',
  'precondition-failed': 'A precondition is not met yet: an earlier stage, an approval or a waiting time.',
} as const;

/** Problem code. */
export type ProblemCode = keyof typeof problemCodes;

/** Problem of an input: location, value, reason and remedy. */
export interface Problem {
  readonly code: ProblemCode;
  /** Absolute path within the manifest, such as `['spec', 'replicas']`. */
  readonly path: FieldPath;
  /** Value at the path; absent if it is missing or sensitive. */
  readonly value?: unknown;
  /** Reason, as a clause without a full stop. */
  readonly reason: string;
  /** How to fix it, as an instruction without a period. */
  readonly remedy: string;
  /** Name of the broken validation rule. */
  readonly rule?: string;
  /** @default error */
  readonly severity?: 'error' | 'warning';
  /** Object, as `Kind namespace/name`. */
  readonly object?: string;
  /** Location in the manifest, or the call site of a construct. */
  readonly source?: Source;
}

/** Formats a path as Kubernetes does: `spec.template.spec.containers[0].image`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? '(document)' : text;
}

/** Formats a value for a message: JSON, at most 80 characters. */
export function formatValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

/** Formats a problem as one line: source, severity, code, path, value, reason, remedy. */
export function explainProblem(problem: Problem): string {
  const { source, object, severity = 'error', code, path, reason, remedy } = problem;
  const where = source ? `${source.file}:${source.line}:${source.column}: ` : '';
  const what = object ? `${object}: ` : '';
  const value = problem.value === undefined ? '' : ` ${formatValue(problem.value)}`;
  return `${where}${severity} ${code}: ${what}${formatPath(path)}:${value} ${reason}; ${remedy}`;
}

/** Error with all problems of an input. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError' as const;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(explainProblem).join('\n'));
    this.problems = problems;
    // The message contains all problems; an uncaught error would print them twice.
    Object.defineProperty(this, 'problems', { enumerable: false });
  }
}

/** Returns whether a problem is an error; warnings are not blocking. */
export const isError = (problem: Problem): boolean => problem.severity !== 'warning';
