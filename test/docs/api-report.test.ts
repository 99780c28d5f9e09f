import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const entries = ['', 'api/', 'client/', 'controller-runtime/', 'testing/'].map((folder) => `${folder}index.d.ts`);
const folder = mkdtempSync(join(tmpdir(), 'pinion-api-report-test-'));
const [declarations, reports] = [join(folder, 'declarations'), join(folder, 'reports')];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeEntries(text: string): void {
  for (const entry of entries) {
    mkdirSync(dirname(join(declarations, entry)), { recursive: true });
    writeFileSync(join(declarations, entry), text);
  }
}

const report = (...options: readonly string[]) =>
  spawnSync(
    process.execPath,
    [join(root, 'scripts/api-report.mjs'), '--declarations', declarations, '--reports', reports, ...options],
    { encoding: 'utf8' },
  );

test('a changed signature fails the check until the report is generated again', () => {
  writeEntries('/** Expands a workload. */\nexport declare function expand(name: string): string[];\n');
  expect(report().stdout).toBe('5 API reports, 5 of them changed\n');
  writeEntries(
    '/** Expands a workload. */\nexport declare function expand(name: string, version: number): string[];\n',
  );
  const changed = report('--check');
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain('+ export function expand(name: string, version: number): string[];');
  expect(changed.stderr).toContain('The public API changed');
});

test('every entry point of the package has a report, and no report says that its entry point exports nothing', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(exports)
    .filter((name) => name !== './package.json')
    .map((name) => `pinion${name.slice(1).replace('/', '-')}.api.md`);
  const texts = names.map((name) => readFileSync(join(root, 'etc/api-report', name), 'utf8'));
  expect(texts.map((text) => text.includes('export '))).toEqual(names.map(() => true));
});
