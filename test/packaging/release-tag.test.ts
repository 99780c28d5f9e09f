import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(__dirname, '../../scripts/release/check-tag.mjs');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-tag-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const released =
  '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n\n- A field.\n\n## [0.1.0] - 2026-01-02\n\n- All.\n';

/** Runs the check in a copy of the repository's files with this version and changelog. */
function check(tag: string, version = '0.2.0', changelog = released): { problems: string[]; notes: string } {
  mkdirSync(join(folder, 'scripts', 'release'), { recursive: true });
  cpSync(script, join(folder, 'scripts', 'release', 'check-tag.mjs'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ version, packages: { '': { version } } }));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const notes = join(folder, 'notes.md');
  writeFileSync(notes, '');
  const args = [join(folder, 'scripts', 'release', 'check-tag.mjs'), tag, notes];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const problems = done.stderr.split('\n').filter(Boolean);
  expect(done.status).toBe(problems.length > 0 ? 1 : 0);
  return { problems, notes: readFileSync(notes, 'utf8') };
}

test('a tag with its version everywhere is released with the notes of that version only', () => {
  expect(check('v0.2.0')).toEqual({ problems: [], notes: '- A field.\n' });
});

test('everything that is missing is reported at once', () => {
  expect(check('v0.3.0').problems).toEqual([
    'package.json: version 0.2.0 must be 0.3.0',
    'package-lock.json: version must be 0.3.0',
    'CHANGELOG.md: must have a section "## [0.3.0] - YYYY-MM-DD"',
    'CHANGELOG.md: the section of 0.3.0 is empty',
  ]);
});

test.each(['0.2.0', 'v0.2', 'version-1'])('%s is not a version tag', (tag) => {
  expect(check(tag).problems).toEqual([`tag ${tag}: must be v followed by a version, such as v0.2.0`]);
});

test('a section without a date is not released', () => {
  const undated = released.replace(' - 2026-03-04', '');
  expect(check('v0.2.0', '0.2.0', undated).problems).toEqual([
    'CHANGELOG.md: must have a section "## [0.2.0] - YYYY-MM-DD"',
  ]);
});
