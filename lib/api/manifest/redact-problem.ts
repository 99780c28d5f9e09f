import { type FieldPath, type Problem } from '../problem';

/** Path segments under which values may be sensitive. */
const privateStep =
  /^(env|envFrom|config|files|data|stringData|binaryData|content|args|command|annotations)$|secret|passw|token|credential/i;

/** Returns whether the value at a path may be or contain a secret. */
export const isSensitivePath = (path: FieldPath): boolean =>
  path.some((step) => typeof step === 'string' && privateStep.test(step));

/** Returns the problem, without its value if that may contain a secret. */
export function redactProblem(problem: Problem): Problem {
  const { value, path } = problem;
  const isBlock = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const isPrivateText = typeof value === 'string' && isSensitivePath(path);
  // An unknown key may be misplaced data of any kind.
  const isText = typeof value === 'string' && problem.code === 'unknown-field';
  if (!isBlock && !isPrivateText && !isText) return problem;
  const { value: _, ...rest } = problem;
  return rest;
}
