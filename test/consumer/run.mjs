// CI of an app team: clones this repository, packs the clone, installs the package into a copy of this folder, compiles, runs `cdk8s synth` and a snapshot test, then moves to the next runtime profile and shows what changes.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const work = mkdtempSync(join(tmpdir(), 'pinion-consumer-'));

function run(command, args, { cwd = work, fails = false } = {}) {
  const begin = Date.now();
  const done = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CI: 'true', FORCE_COLOR: '0' },
  });
  console.log(`${command} ${args.join(' ')}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  if (done.error) throw done.error;
  if ((done.status !== 0) !== fails)
    throw new Error(`${command} ended with ${done.status}\n${done.stdout}\n${done.stderr}`);
  return done.stdout + done.stderr;
}

function expectThat(what, holds, detail = '') {
  if (!holds) throw new Error(`not so: ${what}\n${detail}`);
  console.log(`ok: ${what}`);
}

/**
 * Packs a fresh clone of the last commit into this folder, and returns the name of the file: what a newcomer gets by
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
  return packed.trim().split('\n').pop();
}

/** The lines of a diff that are not equal. */
const changes = (diff, added = /^\s*[+-]\s(?!.*(Snapshot|Received)\s+[+-])/) =>
  diff.split('\n').filter((line) => added.test(line));

try {
  cpSync(here, work, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist', 'run.mjs'].includes(basename(path)),
  });
  renameSync(join(work, packFreshClone(work)), join(work, 'pinion.tgz'));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']);
  const definitions = run('npx', ['pinion', 'crds']);
  expectThat('the command prints the definitions', definitions.includes('name: pinterestservices.pinterest.com'));
  expectThat('cdk8s-plus-27 is optional', !readdirSync(join(work, 'node_modules')).includes('cdk8s-plus-27'));

  run('npx', ['tsc', '--noEmit']);
  run('npx', ['cdk8s', 'synth', '--check-upgrade=false']);
  const before = readFileSync(join(work, 'dist', 'shop.k8s.yaml'), 'utf8');
  expectThat(
    'a service and a cron job are synthesized',
    /^kind: Deployment$/m.test(before) && /^kind: CronJob$/m.test(before),
  );
  expectThat('the Platform of the repository is used', before.includes('cart.shop.apps.example.com'));

  run('npx', ['jest', '--ci=false']);
  run('npx', ['jest', '--ci']);

  const platform = join(work, 'pinion.platform.yaml');
  const next = readFileSync(platform, 'utf8')
    .replaceAll('company-1', 'company-2')
    .replace('1.0.0', '1.1.0')
    .replace('fluent-bit:4.2.3', 'fluent-bit:4.2.4');
  writeFileSync(platform, next);
  writeFileSync(join(work, 'before.yaml'), before);
  run('npx', ['cdk8s', 'synth', '--check-upgrade=false']);
  const yamlDiff = run('diff', ['-U0', 'before.yaml', join('dist', 'shop.k8s.yaml')], { fails: true });
  const snapshotDiff = run('npx', ['jest', '--ci'], { fails: true });
  console.log(yamlDiff);
  const lines = changes(yamlDiff, /^[+-](?![+-])/);
  expectThat(
    'each changed line names the profile or the image',
    lines.every((line) => /company-|fluent-bit/.test(line)),
    yamlDiff,
  );
  expectThat('two pods change in few lines', lines.length > 0 && lines.length <= 16, yamlDiff);
  const snapshotLines = changes(snapshotDiff);
  expectThat('the snapshot shows the same lines', snapshotLines.length === lines.length, snapshotDiff);
  run('npx', ['jest', '--ci=false', '-u']);
} finally {
  rmSync(work, { recursive: true, force: true });
}
