// Tests of the packed library, in projects outside of this repository: node test/consumer/run.mjs [PART…]
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFramework } from './framework.mjs';
import { testNewProjects } from './new-projects.mjs';
import { testPages } from './pages.mjs';
import { testProfileUpdate } from './profile-update.mjs';
import { run } from './steps.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const work = mkdtempSync(join(tmpdir(), 'pinion-consumer-'));

/**
 * Packs a fresh clone of the last commit into this folder, and returns the path of the file: what a newcomer gets by
 * `git clone && npm pack`. The clone borrows the installed packages of this checkout where both have one lock file.
 */
function packFreshClone(destination) {
  const uncommitted = run('git', ['status', '--porcelain'], { cwd: root }).trim();
  if (uncommitted) console.log(`note: packs the last commit, without these changes:\n${uncommitted}`);
  const clone = join(destination, 'clone');
  run('git', ['clone', '--quiet', root, clone]);
  const lockFile = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const packages = join(root, 'node_modules');
  if (lockFile(clone) === lockFile(root) && existsSync(packages)) symlinkSync(packages, join(clone, 'node_modules'));
  const packed = run('npm', ['pack', '--silent', '--pack-destination', destination], { cwd: clone });
  rmSync(clone, { recursive: true });
  return join(destination, packed.trim().split('\n').pop());
}

const parts = {
  'profile-update': (library) => testProfileUpdate(here, join(work, 'shop'), library),
  pages: (library) => testPages(join(work, 'pages'), library),
  framework: (library) => testFramework(root, join(work, 'framework'), library),
  'new-projects': (library) => testNewProjects(join(work, 'projects'), library),
};
const given = process.argv.slice(2);
const unknown = given.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`unknown part: ${unknown.join(', ')}; use ${Object.keys(parts).join(', ')}`);

try {
  const library = packFreshClone(work);
  for (const [name, test] of Object.entries(parts)) {
    if (given.length > 0 && !given.includes(name)) continue;
    const begin = Date.now();
    await test(library);
    console.log(`== ${name}: ${Math.round((Date.now() - begin) / 1000)} s`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
