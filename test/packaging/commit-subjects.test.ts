import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = join('scripts', 'check-commits.mjs');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-commits-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false'];
  const done = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
}

const commit = (subject: string): void => git('commit', '--quiet', '--allow-empty', '--message', subject);

function addScript(into = folder): void {
  mkdirSync(dirname(join(into, script)), { recursive: true });
  cpSync(join(__dirname, '../..', script), join(into, script));
}

/** A repository with a commit from before the rule, the commit that adds the rule, and the given ones after it. */
function makeRepository(...subjects: readonly string[]): void {
  git('init', '--quiet', '--initial-branch', 'main');
  commit('Something from before the rule');
  addScript();
  git('add', '.');
  commit('Add a check of commit subjects');
  for (const subject of subjects) commit(subject);
}

function check(root = folder): { code: number | null; lines: string[] } {
  const done = spawnSync(process.execPath, [join(root, script)], { cwd: root, encoding: 'utf8' });
  return { code: done.status, lines: done.stderr.split('\n').filter(Boolean) };
}

test('accepts commits from before the rule and Conventional Commits after it', () => {
  const kept = ['feat: add a field', 'fix(controller)!: keep pods of a paused rollout', 'test(e2e): wait for nodes'];
  makeRepository(...kept);
  expect(check()).toEqual({ code: 0, lines: [] });
});

test('reports every other subject, the newest first', () => {
  const offences = [
    'Pods of a paused rollout stay',
    'fix(controller): Keep pods',
    'fix(controller): keep pods.',
    'feature: keep pods',
    'fix:keep pods of rollouts',
    `fix: ${'keep pods '.repeat(7)}alive`,
  ];
  makeRepository('feat: add a field', ...offences, 'docs: describe the field');
  const { code, lines } = check();
  const found = lines.flatMap((line) => /^commit [0-9a-f]{7,} (.*)$/.exec(line)?.[1] ?? []);
  expect([code, found.reverse()]).toEqual([1, offences]);
});

test('a shallow clone checks the commits that it has', () => {
  makeRepository('Old words', 'feat: add a field', 'Old words again');
  git('clone', '--quiet', '--depth', '2', `file://${folder}`, join(folder, 'clone'));
  expect(check(join(folder, 'clone')).lines.filter((line) => line.includes('Old words'))).toHaveLength(1);
});

test('outside of a Git repository, reports that nothing is checked', () => {
  addScript();
  expect(check()).toEqual({ code: 0, lines: ['commit subjects not checked: this folder is not a Git checkout'] });
});
