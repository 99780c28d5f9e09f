import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..');

test('crds/, the interfaces of the specs and the tables of the docs are what the schemas say', () => {
  const checked = spawnSync(process.execPath, [join(root, 'scripts/generate.mjs'), '--check'], { encoding: 'utf8' });
  expect([checked.stderr, checked.status]).toEqual(['', 0]);
});
