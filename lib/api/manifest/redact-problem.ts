import { type FieldPath, type Problem } from '../problem';

/** Path segments below which values may be sensitive. */
const privateStep =
  /^(env|envFrom|config|files|data|stringData|binaryData|content|args|command|annotations)$|secret|passw|token|credential/i;

/** Whether what lies at a path could be a secret, or hold one. */
export const isSensitivePath = (path: FieldPath): boolean =>
  path.some((step) => typeof step === 'string' && privateStep.test(step));

/** The problem without its value where that could hold a secret: a whole block, or a text below such a field. */
export function redactProblem(problem: Problem): Problem {
  const { value, path } = problem;
  const isBlock = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const isPrivateText = typeof value === 'string' && isSensitivePath(path);
  // A key that does not exist may be a mistaken place for anything.
  const isText = typeof value === 'string' && problem.code === 'unknown-field';
  if (!isBlock && !isPrivateText && !isText) return problem;
  const { value: _, ...rest } = problem;
  return rest;
}
