import { explainProblem, isWorkloadKind, safeParseManifest } from '../lib/api';
import { type ManifestInput, type Problem, type Workload } from '../lib/api';
import { problemsOfValidFields, safeExpand } from '../lib/expand';
import { SeededRandom } from './e2e/chaos/seeded-random';
import { drawMutation } from './e2e/mutation-fuzz/field-mutation';
import { Fragments } from './e2e/mutation-fuzz/fragments';
import { fragmentSources } from './e2e/mutation-fuzz/fuzz-documents';
import { bases, context } from './e2e/mutation-fuzz/mutants';

/** Returns all problems of a workload, as `pinion check` reports them. */
function problemsOf(input: ManifestInput): readonly Problem[] {
  const { manifest, problems } = safeParseManifest(input);
  if (!isWorkloadKind(input.kind)) return problems;
  if (manifest)
    return [...problems, ...safeExpand(manifest as Workload, context.project(manifest.metadata.namespace)).problems];
  const value = input as unknown as Parameters<typeof problemsOfValidFields>[0];
  return [...problems, ...problemsOfValidFields(value, problems, (project) => context.project(project))];
}

/** Counts the messages of one mistake each: a mutation of a workload of the examples and golden cases. */
function messageCounts(mutations: number, seed: number): readonly number[] {
  const random = new SeededRandom(seed);
  const fragments = new Fragments(fragmentSources);
  const known = new Map(bases.map((base) => [base, new Set(problemsOf(base).map(explainProblem))]));
  return Array.from({ length: mutations }, () => {
    const base = random.of(bases);
    const found = problemsOf(drawMutation(base, random, fragments).apply(base) as ManifestInput);
    return found.filter((problem) => known.get(base)?.has(explainProblem(problem)) !== true).length;
  }).filter((count) => count > 0);
}

test('one mistake has one message, with few exceptions', () => {
  const counts = messageCounts(Number(process.env['PINION_MUTATIONS'] ?? 500), 7);
  const several = counts.filter((count) => count > 1);
  const figures = {
    reported: counts.length,
    several: several.length,
    messages: counts.reduce((sum, count) => sum + count, 0),
    most: Math.max(...counts),
  };
  if (process.env['PINION_MUTATIONS'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.several / figures.reported).toBeLessThan(0.07);
  expect(figures.messages / figures.reported).toBeLessThan(1.2);
});
