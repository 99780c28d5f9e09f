// Runs the fast suites, the example and the command on every supported Node version, each from npm's package "node":
//   npm run test:node-versions [-- --ends | VERSION…]
// With --ends, on the oldest and the newest version only, without one of the line that runs this and "npm test": what both
// have, the versions between them have, too.
// Prints one line for each version; exits with 1 if one of them fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The latest patch of the oldest supported minor version, and the latest version of each newer LTS line. */
const versions = ['20.19.6', '22.23.3', '24.21.0'];
const suites = ['api', 'artifact', 'constructs', 'contract', 'expand', 'golden', 'kube', 'problems', 'testing', 'yaml'];

/** Runs a program; returns its output and exit code. */
const run = (command, args, env = process.env) =>
  spawnSync(command, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Returns an environment in which `node` is this version. Throws if npm cannot install it. */
function environmentOf(version) {
  const { status, stdout, stderr } = run('npx', [
    '--yes',
    '--package',
    `node@${version}`,
    'node',
    '--print',
    'process.execPath',
  ]);
  const path = stdout.trim();
  if (status !== 0 || path === '') throw new Error(`node@${version} cannot be installed:\n${stderr}`);
  return { ...process.env, PATH: [dirname(path), process.env.PATH].join(delimiter) };
}

function runSuites(env, folder) {
  const report = join(folder, 'report.json');
  const paths = suites.map((name) => `test/${name}[/.]`);
  const args = [join('node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${report}`, ...paths];
  const { status, stderr } = run('node', args, env);
  if (status !== 0) process.stderr.write(stderr);
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Returns whether a program succeeds; prints its standard error if not. */
function succeeds(env, ...args) {
  const { status, stderr } = run('node', args, env);
  if (status !== 0) process.stderr.write(stderr);
  return status === 0;
}

function testVersion(version) {
  const begin = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'pinion-node-'));
  try {
    const env = environmentOf(version);
    const actual = run('node', ['--version'], env).stdout.trim();
    if (actual !== `v${version}`) throw new Error(`node@${version} is ${actual}`);
    const { passed, failed } = runSuites(env, folder);
    const starts = succeeds(env, join('scripts', 'start.mjs'));
    const checks = succeeds(env, join('build', 'bin', 'pinion.js'), 'check', '--quiet', '--as-controller', 'examples');
    const seconds = Math.round((performance.now() - begin) / 1000);
    const results = [`start ${starts ? 'ok' : 'failed'}`, `check ${checks ? 'ok' : 'failed'}`, `${seconds} s`];
    console.log(`node ${version}: ${passed} passed, ${failed} failed, ${results.join(', ')}`);
    return passed > 0 && failed === 0 && starts && checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the versions that the arguments name, by default all. */
function selectVersions(given) {
  if (given.length === 0) return versions;
  const lineOf = (version) => version.split('.')[0];
  const ends = [versions[0], versions.at(-1)].filter((version) => lineOf(version) !== lineOf(process.versions.node));
  return given.length === 1 && given[0] === '--ends' ? ends : given;
}

const results = selectVersions(process.argv.slice(2)).map(testVersion);
process.exitCode = results.every(Boolean) ? 0 : 1;
