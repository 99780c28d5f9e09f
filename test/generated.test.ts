import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..');

test('crds/, the spec interfaces and the tables of the docs match the schemas', () => {
  const checked = spawnSync(process.execPath, [join(root, 'scripts/generate.mjs'), '--check'], { encoding: 'utf8' });
  expect([checked.stderr, checked.status]).toEqual(['', 0]);
});
