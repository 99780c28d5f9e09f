import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { createRequire } from 'node:module';

const { readParts } = createRequire(import.meta.url)('../test/e2e/part-reporter.cjs');

/** Returns the commit of a clean work tree; undefined with uncommitted changes. */
function cleanCommit(root) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('status', '--porcelain');
  return status === 0 && stdout.trim() === '' ? git('rev-parse', 'HEAD').stdout.trim() : undefined;
}

/** Lists the suites of a configuration, relative to the root. */
function listSuites(root, jest, config) {
  const { stdout } = jest([...config, '--listTests', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(stdout.trim().split('\n').pop()).map((path) => relative(root, path));
}

const usesProperties = (root) => (suite) => readFileSync(join(root, suite), 'utf8').includes("from 'fast-check'");

function printParts(groups, passed, before) {
  let [seconds, missing] = [0, 0];
  for (const { name, suites } of groups)
    for (const suite of suites) {
      const part = passed[`${name}: ${suite}`];
      if (part) seconds += part.seconds;
      else missing += 1;
      const skipped = part?.skippedTests > 0 ? `, ${part.skippedTests} tests skipped` : '';
      const when = before[`${name}: ${suite}`] ? ', earlier' : '';
      console.log(`${(part ? `${part.seconds} s` : 'not passed').padStart(10)}  ${name}: ${suite}${skipped}${when}`);
    }
  console.log(`${missing} parts have not passed; the passed parts took ${seconds} s`);
}

/** Runs all parts that have not passed on this commit, prints the time of each, and returns the exit code. */
export function runAllParts({ root, jest, again }) {
  const commit = cleanCommit(root);
  if (commit === undefined) console.log('The work tree has changes: every part runs, and no result is recorded.');
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const file = join(cache, 'pinion', 'e2e-full', `${commit ?? 'changed'}.json`);
  if (commit === undefined || again) rmSync(file, { force: true });
  const before = readParts(file);
  const e2e = ['-c', 'test/e2e/jest.config.mjs'];
  const groups = [
    { name: 'properties', config: [], suites: listSuites(root, jest, []).filter(usesProperties(root)) },
    { name: 'e2e', config: e2e, suites: listSuites(root, jest, e2e) },
  ];
  for (const { name, config, suites } of groups) {
    const missing = suites.filter((suite) => !before[`${name}: ${suite}`]);
    if (missing.length === 0) continue;
    jest(
      [...config, '--reporters=default', '--reporters=./test/e2e/part-reporter.cjs', '--runTestsByPath', ...missing],
      {
        env: { PINION_PARTS_FILE: file, PINION_PARTS_GROUP: name },
      },
    );
  }
  const passed = readParts(file);
  printParts(groups, passed, before);
  return groups.every(({ name, suites }) => suites.every((suite) => passed[`${name}: ${suite}`])) ? 0 : 1;
}
