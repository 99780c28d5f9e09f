import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import * as library from '@pinion-platform/pinion';
import { explainProblem, formatPath, isPlainObject, isSensitivePath, isWorkloadKind, type Problem } from '../lib/api';
import { type ResourceConstruct } from '../lib/constructs/resource-construct';
import { pinion } from './cli/terminal';
import { type ProblemCase } from './problems/problem-case';

// test/problems.test.ts checks the library alone, test/e2e/problems.test.ts the API server.
const folder = join(__dirname, 'problems');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.cases.ts'))
  .flatMap((name) => jest.requireActual<{ cases: readonly ProblemCase[] }>(join(folder, name)).cases);

type Fields = Readonly<Record<string, unknown>>;
type ConstructClass = new (scope: Chart, id: string, props: never) => ResourceConstruct;

/** Returns the parts of problems that a case expects, the message as it is printed. */
const partsOf = (problems: readonly Problem[], { expected }: ProblemCase) =>
  problems.map(({ object: _, source: __, ...problem }) => ({
    code: problem.code,
    path: formatPath(problem.path),
    ...(expected.rule !== undefined && { rule: problem.rule }),
    ...(expected.message !== undefined && { message: explainProblem(problem) }),
  }));

/** Value in a message, which commands hide where it could be a secret. */
const shownValue = /^(\w+ [\w-]+: \S+: )"(?:[^"\\]|\\.)*" /;

/** Returns the props of a construct; undefined for a manifest that no props result in. */
function propsOf(input: unknown): { readonly kind: string; readonly props: Fields } | undefined {
  const { kind, metadata, spec, ...rest } = input as Fields;
  const { name, namespace, ...others } = isPlainObject(metadata) ? metadata : ({} as Fields);
  const isPlain = isPlainObject(spec) && Object.keys(rest).join() === 'apiVersion';
  if (!isWorkloadKind(kind) || !isPlain || typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  return { kind, props: { name, project: namespace, metadata: others, ...spec } };
}

test.each(cases)('pinion check reports $title', async (one) => {
  const { out } = await pinion(['check', '-', '-o', 'json'], JSON.stringify(one.input));
  const { problems } = JSON.parse(out) as { readonly problems: readonly Problem[] };
  const isHidden = problems.some(
    ({ path, value }) => formatPath(path) === one.expected.path && value === undefined && isSensitivePath(path),
  );
  const message = isHidden ? one.expected.message?.replace(shownValue, '$1') : one.expected.message;
  expect(partsOf(problems, one)).toContainEqual({ ...one.expected, ...(message !== undefined && { message }) });
});

const built = cases.flatMap((one) => {
  const found = propsOf(one.input);
  return found ? [{ ...one, ...found }] : [];
});

test.each(built)('a construct reports $title', ({ kind, props, ...one }) => {
  const { [kind]: Construct } = library as unknown as Readonly<Record<string, ConstructClass>>;
  if (!Construct) throw new Error(`the library has no construct ${kind}`);
  const { problems } = new Construct(new Chart(new App(), 'chart'), 'workload', props as never);
  expect(partsOf(problems, one)).toContainEqual(one.expected);
});

test('nearly all manifests can be written as constructs', () => {
  expect(built.length).toBeGreaterThan(0.95 * cases.length);
});
