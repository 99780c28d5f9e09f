import { checkNative } from '../../../lib/api/native';
import { explainProblem, formatPath, type Problem } from '../../../lib/api/problem';
import { goodPod, podCases, podOf } from './pod-cases';

function problemsOf(pod: unknown): Problem[] {
  const problems: Problem[] = [];
  checkNative('PodSpec', pod, ['spec'], (problem) => problems.push(problem));
  return problems;
}

test('a pod that uses most Kubernetes fields has no problems and is not changed', () => {
  const pod = goodPod();
  const before = JSON.stringify(pod);
  expect(problemsOf(pod).map(explainProblem)).toEqual([]);
  expect(JSON.stringify(pod)).toBe(before);
});

test.each(podCases.map((entry) => [entry.title, entry] as const))('%s is a problem', (_title, entry) => {
  const problems = problemsOf(podOf(entry));
  expect(problems.map(({ code, path }) => `${code} ${formatPath(path)}`)).toContain(entry.problem);
  for (const { reason, remedy } of problems) expect(`${reason}|${remedy}`).not.toMatch(/undefined|\.\|/);
});
