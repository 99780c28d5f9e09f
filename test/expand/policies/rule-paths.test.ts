import { parseManifest, safeExpand, resolvePlatform, type PlatformManifest } from '@pinion-platform/pinion';
import { type Workload } from '@pinion-platform/pinion/api';
import { type ManifestInput } from '../../../lib/api';
import { explainProblem } from '../../../lib/api';
import { suggestValues } from '../../../lib/expand/policies/rule-paths';
import { listPlatformRules } from '../../../lib/expand/policies/platform-rules';
import { richCluster, sparseCluster, platformRuleCases } from '../../e2e/platform-rule-cases';

const clusterOf = (documents: readonly ManifestInput[]) =>
  resolvePlatform(documents.map((one) => parseManifest(one) as PlatformManifest));
const sparse = clusterOf(sparseCluster);
const rich = clusterOf(richCluster);

function messagesOf(rule: string, input: ManifestInput, cluster = sparse): string[] {
  const workload = parseManifest(input) as Workload;
  const { problems } = safeExpand(workload, cluster.project(workload.metadata.namespace));
  return problems.filter((problem) => problem.rule === rule).map((problem) => explainProblem(problem));
}

test('reports what a cluster does not offer at its path, with the available alternatives', () => {
  const messages = platformRuleCases.map(({ rule, title = rule, input }) => [title, messagesOf(rule, input)]);
  expect(Object.fromEntries(messages)).toMatchSnapshot();
});

test.each(platformRuleCases.map((one) => [one.title ?? one.rule, one] as const))(
  '%s: the rule itself finds its paths, not its fallback',
  (_, { rule, input }) => {
    const workload = parseManifest(input) as Workload;
    const context = (cluster: typeof sparse) => cluster.project(workload.metadata.namespace);
    const { paths } = listPlatformRules().find(({ name }) => name === rule) ?? {};
    if (paths) expect(paths(workload.spec, context(sparse))).not.toEqual([]);
    expect(messagesOf(rule, input, rich)).toEqual([]);
  },
);

test('two unknown parts are two problems', () => {
  const [known] = platformRuleCases.filter(({ rule }) => rule === 'sidecar-known');
  const input = structuredClone(known?.input) as { spec: { sidecars: object } };
  input.spec.sidecars = { logs: {}, loggs: {}, constructor: { enabled: true } };
  expect(messagesOf('sidecar-known', input as ManifestInput)).toHaveLength(2);
});

test.each([
  [0, 'remove it; none is available'],
  [1, 'use n0'],
  [2, 'use n0 or n1'],
  [3, 'use n0, n1 or n2'],
  [15, 'use n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 or one of 3 more'],
])('lists at most twelve of %d available names', (count, expected) =>
  expect(suggestValues(Array.from({ length: count }, (_, index) => `n${index}`))).toBe(expected),
);
