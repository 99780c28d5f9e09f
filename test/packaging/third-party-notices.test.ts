import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const programs = join(root, 'build', 'bin');
const notices = readFileSync(join(root, 'THIRD_PARTY_NOTICES.txt'), 'utf8');

/** Names of the packages that the notices list. */
const listed = [...notices.matchAll(/^(\S+) [\d.]+ \([^)]+\)$/gm)].map(([, name = '']) => name);

test('THIRD_PARTY_NOTICES.txt holds every package of every bundle with its license', () => {
  const script = join(root, 'scripts/third-party-notices.mjs');
  const checked = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([checked.stderr, checked.status]).toEqual(['', 0]);
});

test('the notices list the packages in the bundle of the controller', () => {
  // This bundle is not minified: each module starts with a comment that contains its path.
  const text = readFileSync(join(programs, 'controller.js'), 'utf8');
  const paths = [...text.matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/gm)];
  const names = [...new Set(paths.map(([, name = '']) => name))].sort();
  expect(names).toContain('prom-client');
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);
});

test('every bundle names the file with the licenses', () => {
  const bundles = readdirSync(programs).filter((name) => name.endsWith('.js') && name !== 'pinion.js');
  expect(bundles.length).toBeGreaterThan(5);
  const firstLine = (name: string): string => readFileSync(join(programs, name), 'utf8').split('\n', 1)[0] ?? '';
  expect(bundles.filter((name) => !firstLine(name).includes('THIRD_PARTY_NOTICES.txt'))).toEqual([]);
});

test('LICENSE is the text of the Apache License 2.0', () => {
  const digest = createHash('sha256')
    .update(readFileSync(join(root, 'LICENSE')))
    .digest('hex');
  expect(digest).toBe('cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30');
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).license).toBe('Apache-2.0');
});
