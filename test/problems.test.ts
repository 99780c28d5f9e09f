import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  explainProblem,
  safeParseManifest,
  formatPath,
  isWorkloadKind,
  type Problem,
  type Workload,
} from '@pinion-platform/pinion/api';
import { safeExpand, resolvePlatform } from '../lib/expand';
import { needsController } from '../lib/expand/needs-controller';
import { type ProblemCase } from './problems/problem-case';

const folder = join(__dirname, 'problems');
const files = readdirSync(folder).filter((name) => name.endsWith('.cases.ts'));

/** All problems of a manifest: by itself, in the built-in project context, and for native output. */
function problemsOf(input: unknown): readonly Problem[] {
  const { manifest, problems } = safeParseManifest(input);
  if (!manifest || !isWorkloadKind(manifest.kind)) return problems;
  const workload = manifest as Workload;
  const context = resolvePlatform([]).project(workload.metadata.namespace);
  return [...problems, ...safeExpand(workload, context).problems, ...needsController(workload, context)];
}

describe.each(files)('%s', (file) => {
  const { cases } = jest.requireActual<{ cases: readonly ProblemCase[] }>(join(folder, file));

  test.each(cases)('$title', ({ input, expected }) => {
    const problems = problemsOf(input);
    const observed = problems.map(({ object: _, ...problem }) => ({
      code: problem.code,
      path: formatPath(problem.path),
      ...(expected.rule !== undefined && { rule: problem.rule }),
      ...(expected.message !== undefined && { message: explainProblem(problem) }),
    }));
    expect(observed).toContainEqual(expected);
    for (const { reason, remedy } of problems) {
      expect(reason).not.toBe('');
      expect(remedy).not.toBe('');
    }
  });
});
