import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join('scripts', 'check-words.mjs');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-words-'));
  mkdirSync(join(folder, 'scripts'));
  mkdirSync(join(folder, 'lib', 'etcd'), { recursive: true });
  cpSync(join(__dirname, '../..', script), join(folder, script));
});
afterEach(() => rmSync(folder, { recursive: true }));

function check(root = folder, ...paths: readonly string[]): { code: number | null; lines: string[] } {
  const done = spawnSync(process.execPath, [join(root, script), ...paths], { cwd: root, encoding: 'utf8' });
  return { code: done.status, lines: done.stdout.split('\n').filter(Boolean) };
}

test('the repository uses no replaced word', () => {
  expect(check(join(__dirname, '../..'))).toEqual({ code: 0, lines: [] });
});

test.each([
  ['a comment', '/** What the surroundings are told. */', 'surroundings, told'],
  ['a message', "throw new Error('is no kind of this platform');", 'is no '],
  ['an identifier', 'export const examineThing = 1;', 'examineThing'],
])('finds a replaced word in %s', (_, line, found) => {
  writeFileSync(join(folder, 'lib', 'etcd', 'planted.ts'), `${line}\n`);
  const { code, lines } = check();
  expect(code).toBe(1);
  expect(lines[0]).toBe(`${join('lib', 'etcd', 'planted.ts')}:1: ${found}: ${line}`);
});

test('accepts these words in names of other projects and idioms', () => {
  writeFileSync(join(folder, 'lib', 'etcd', 'uses.ts'), '// The wall clock of origin/master/src, as uid nobody.\n');
  expect(check()).toEqual({ code: 0, lines: [] });
});
