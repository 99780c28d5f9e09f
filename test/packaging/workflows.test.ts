import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { findBinaries } from '../control-plane/binaries';
import { programTargets } from '../images/dockerfile';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
  readonly 'timeout-minutes'?: number;
}
interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(__dirname, '../..');
const folder = join(root, '.github', 'workflows');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
const workflows = new Map(texts.map(([name, text]) => [name, load(text) as Workflow]));
const job = (file: string, name: string): Job | undefined => workflows.get(file)?.jobs[name];

test.each(texts)('%s pins each action by commit, with its version in a comment', (_, text) => {
  const uses = text.split('\n').filter((line) => line.includes('uses:'));
  expect(uses.length).toBeGreaterThan(1);
  const pinned = /^\s+(- )?uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
});

test('one action has one version in all workflows', () => {
  const used = texts.flatMap(([, text]) => [...text.matchAll(/uses: (([\w-]+\/[\w-]+)@.*)$/gm)]);
  const versions = new Map<string, Set<string>>();
  for (const [, whole = '', action = ''] of used) versions.set(action, (versions.get(action) ?? new Set()).add(whole));
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([]);
});

test.each([...workflows])('%s has read-only permissions by default, and each job has a time limit', (_, workflow) => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.values(workflow.jobs).map((one) => one['timeout-minutes'])).not.toContain(undefined);
});

test('checkouts keep no credentials', () => {
  const steps = [...workflows.values()].flatMap(({ jobs }) => Object.values(jobs).flatMap((one) => one.steps));
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(4);
  expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
});

test('workflows run scripts that package.json has', () => {
  const scripts = texts.flatMap(([, text]) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((name) => !(name && name in manifest.scripts))).toEqual([]);
});

test('CI tests the Node versions that "engines" names', () => {
  const tested = job('ci.yml', 'test')?.strategy?.matrix['node'] ?? [];
  const majors = tested.map((version) => version.split('.')[0]);
  const supported = [...manifest.engines.node.matchAll(/\^(\d+)\./g)].map(([, major]: RegExpMatchArray) => major);
  expect(majors).toEqual(supported);
});

test('an image is released for every program', () => {
  const targets = job('images.yml', 'image')?.strategy?.matrix['target'] ?? [];
  expect([...targets].sort()).toEqual([...programTargets()].sort());
});

const built = findBinaries(['actionlint']);
const testBuilt = 'skipped' in built ? test.skip : test;

testBuilt('actionlint finds no fault in the workflows, and finds a planted one', () => {
  if ('skipped' in built) return;
  const lint = (cwd: string): ReturnType<typeof spawnSync> =>
    spawnSync(built.paths.actionlint, ['-shellcheck=', '-pyflakes='], { cwd, encoding: 'utf8' });
  const found = lint(root);
  expect([found.stdout, found.status]).toEqual(['', 0]);
  const faulty = mkdtempSync(join(tmpdir(), 'pinion-workflow-'));
  try {
    mkdirSync(join(faulty, '.git'));
    mkdirSync(join(faulty, '.github', 'workflows'), { recursive: true });
    const text = readFileSync(join(folder, 'ci.yml'), 'utf8').replace('${{ matrix.node }}', '${{ matrix.nodes }}');
    writeFileSync(join(faulty, '.github', 'workflows', 'ci.yml'), text);
    expect(lint(faulty).stdout).toContain('property "nodes" is not defined');
  } finally {
    rmSync(faulty, { recursive: true });
  }
});
