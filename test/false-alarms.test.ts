import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  apiVersion,
  explainProblem,
  isPlainObject,
  isPlatformKind,
  isWorkloadKind,
  safeParseManifest,
  type Manifest,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../lib/api';
import { App } from 'cdk8s';
import { addExamples } from '../examples/add-examples';
import { ResourceConstruct } from '../lib/constructs/resource-construct';
import { resolvePlatform, safeExpand } from '../lib/expand';
import { readDocuments } from '../lib/yaml';
import { pinion } from './cli/terminal';
import { type ProblemCase } from './problems/problem-case';

/** Rules about what surely or probably fails, although Kubernetes accepts it. */
const rules: readonly string[] = [
  'accelerator-cpu',
  'accelerator-of-pool',
  'access-peer-known',
  'annotation-size',
  'claim-size',
  'cpu-unit',
  'failure-rule-container',
  'failure-rule-exit-codes',
  'failure-rule-form',
  'file-in-secret',
  'file-in-volume',
  'image-reference',
  'image-tag',
  'literal-secret',
  'load-balancer-hosts',
  'load-balancer-readiness',
  'load-balancer-path-pattern',
  'member-known',
  'memory-unit',
  'native-reference-known',
  'metrics-port',
  'override-claim-size',
  'parallelism-within-shards',
  'pod-metadata-reference',
  'probe-port-name',
  'quota-exceeded',
  'route-taken',
  'shared-memory-size',
  'variable-reference',
];

/** Rules about several documents, whose cases are in test/cli/check-inputs.test.ts and test/cli/native-references.test.ts. */
const ofInputs: readonly string[] = [
  'accelerator-of-pool',
  'access-peer-known',
  'member-known',
  'native-reference-known',
  'quota-exceeded',
  'route-taken',
];

const root = join(__dirname, '..');

/** Returns the documents of a YAML text, or of the YAML blocks of a page. */
function documentsOf(path: string): readonly unknown[] {
  const text = readFileSync(path, 'utf8');
  const blocks = path.endsWith('.md')
    ? [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
    : [text];
  return blocks
    .filter((block) => block.includes(`apiVersion: ${apiVersion}`))
    .flatMap((block) => readDocuments(block, path).documents.map(({ value }) => value))
    .filter((value) => isPlainObject(value) && value['apiVersion'] === apiVersion);
}

/** Returns the problems of all documents of a file. */
function problemsOf(path: string): readonly Problem[] {
  const beside = join(dirname(path), 'platform.yaml');
  const paths = basename(path) === 'input.yaml' && existsSync(beside) ? [beside, path] : [path];
  const results = paths.flatMap(documentsOf).map((value) => safeParseManifest(value));
  const manifests = results.flatMap(({ manifest }): Manifest[] => (manifest ? [manifest] : []));
  // The manifests of a page belong to different clusters.
  const platform = path.endsWith('.md') ? [] : manifests.filter(({ kind }) => isPlatformKind(kind));
  const cluster = resolvePlatform(platform as PlatformManifest[]);
  const workloads = manifests.filter(({ kind }) => isWorkloadKind(kind)) as Workload[];
  return [
    ...results.flatMap(({ problems }) => problems),
    ...workloads.flatMap((workload) => safeExpand(workload, cluster.project(workload.metadata.namespace)).problems),
  ];
}

const files = ['examples', 'test/golden', 'test/consumer', 'docs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /^(?!.*node_modules).*\.(yaml|md)$/.test(path) && !/(completed|objects|platform)\.yaml$/.test(path))
  .filter((path) => documentsOf(join(root, path)).length > 0)
  .sort();

test('the examples, golden cases and pages are found', () => {
  expect(files.filter((path) => path.startsWith('examples/')).length).toBeGreaterThan(6);
  expect(files.filter((path) => path.startsWith('test/golden/')).length).toBeGreaterThan(50);
  expect(files.filter((path) => path.startsWith('docs/')).length).toBeGreaterThan(6);
});

test.each(files)('%s: no rule about likely mistakes reports it', (path) => {
  const alarms = problemsOf(join(root, path)).filter(({ rule }) => rules.includes(rule ?? ''));
  expect(alarms.map(explainProblem)).toEqual([]);
});

test.each([
  'examples/job-sets',
  'examples/nightly',
  'examples/node-exporter',
  'examples/online-boutique',
  'examples/publish',
  'examples/sharded-batch',
  'examples/training',
  'test/golden',
])('pinion check %s: no rule about likely mistakes reports it', async (folder) => {
  const inputs = files.filter((path) => path.startsWith(`${folder}/`)).map((path) => join(root, path));
  const { out } = await pinion(['check', ...inputs, '-o', 'json']);
  const { problems } = JSON.parse(out) as { readonly problems: readonly Problem[] };
  expect(problems.filter(({ rule = '' }) => rules.includes(rule)).map(explainProblem)).toEqual([]);
});

test('no rule about likely mistakes reports a construct of the examples', () => {
  const app = new App();
  addExamples(app);
  const constructs = app.node.findAll().flatMap((node) => (ResourceConstruct.is(node) ? [node] : []));
  expect(constructs.length).toBeGreaterThan(15);
  const alarms = constructs.flatMap(({ problems }) => problems).filter(({ rule = '' }) => rules.includes(rule));
  expect(alarms.map(explainProblem)).toEqual([]);
});

test('each of these rules reports its case', () => {
  const cases = readdirSync(join(__dirname, 'problems'))
    .filter((name) => name.endsWith('.cases.ts'))
    .flatMap((name) => jest.requireActual<{ cases: readonly ProblemCase[] }>(join(__dirname, 'problems', name)).cases);
  const reported = new Set(cases.map(({ expected }) => expected.rule));
  expect(rules.filter((rule) => !reported.has(rule) && !ofInputs.includes(rule))).toEqual([]);
});
