// Prepares a fresh clone: installs the packages of the lock file when node_modules differs from it, and with "build"
// compiles changed files.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const marker = join(root, 'node_modules', '.pinion-lock');

// Under "npm pack --dry-run" the install would inherit the option and install nothing.
const env = { ...process.env };
delete env.npm_config_dry_run;

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

/** Acquires a lock file, waiting for a live holder; exiting releases it. */
async function acquireLock(path) {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      const release = () => rmSync(path, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isAlive(Number(readFileSync(path, { encoding: 'utf8', flag: 'a+' })))) rmSync(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Deletes compiler output without a source file, so that neither a test nor the package includes it. */
function removeStaleOutput() {
  for (const folder of ['bench', 'examples', 'lib', 'test']) {
    const built = join(root, 'build', folder);
    if (!existsSync(built)) continue;
    // Compiler output has declarations; bundles have none.
    const modules = readdirSync(built, { recursive: true }).flatMap((name) => /^(.+)\.d\.ts$/.exec(name)?.[1] ?? []);
    for (const module of modules.filter((name) => !existsSync(join(root, folder, `${name}.ts`))))
      for (const ending of ['.d.ts', '.js', '.js.map']) rmSync(join(built, module + ending), { force: true });
  }
}

const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const isInstalled = () => existsSync(marker) && readFileSync(marker, 'utf8') === lock;
if (!isInstalled()) {
  // Concurrent installations would delete each other's files: the second one waits, and finds nothing left to do.
  const release = await acquireLock(
    join(tmpdir(), `pinion-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`),
  );
  if (!isInstalled()) {
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(marker, lock);
  }
  release();
}
if (process.argv.includes('build')) {
  run(process.execPath, [join(root, 'node_modules', 'typescript-native', 'bin', 'tsc'), '-p', 'tsconfig.build.json']);
  removeStaleOutput();
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs')]);
}
