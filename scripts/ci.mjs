// Runs all steps of .ci/run, or those given by name (node scripts/ci.mjs [STEP…]), continues after a failure, and ends
// with "N passed, N failed": each test counts, and each step that reports no tests counts once.
// A suite that fails runs once more, alone. It counts as failed either way; one that then passes is flaky, and listed in
// build/ci/flaky.json, which is written by every run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build', 'ci');
/** With more failed suites than this, the build itself is broken: no rerun. */
const maxReruns = 8;

/** Each end-to-end suite adds a line with its time to the file. */
const env = { ...process.env, PINION_SUITE_TIMES: join(folder, 'e2e-suites.jsonl') };

const npm = (script) => ({ name: script, command: ['npm', 'run', script] });
const test = { name: 'test', command: ['npm', 'test'], reportsTests: true };
const images = { ...npm('test:images'), name: 'images' };
const packageSteps = [npm('start'), { ...npm('test:consumer'), name: 'consumer' }];
const seventhKind = { ...npm('test:seventh-kind'), name: 'seventh-kind' };
const nodeVersions = { name: 'node-versions', command: ['npm', 'run', 'test:node-versions', '--', '--ends'] };
const checks = [npm('check'), npm('docs'), images, nodeVersions, seventhKind];
const e2e = { ...npm('e2e'), reportsTests: true };
/**
 * Each group is a list of lanes. Groups run sequentially, the lanes of a group in parallel. The steps of the two lanes of
 * checks and of the package use one core each, and the lanes take about the same time; the others use all cores.
 */
const groups = [[[test]], [checks, packageSteps], [[e2e]]];
const steps = groups.flat(2);

/** Runs a command; collects its output when another lane prints at the same time. */
const run = (command, output) =>
  new Promise((resolve) => {
    const streams = output ? 'pipe' : 'inherit';
    const child = spawn(command[0], command.slice(1), { cwd: root, env, stdio: ['ignore', streams, streams] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

/** Runs a command that runs Jest; the report is undefined if Jest did not finish. */
async function runJest(command, name, ...args) {
  const file = join(folder, `${name}.json`);
  const code = await run([...command, '--', '--json', `--outputFile=${file}`, ...args]);
  return { code, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined };
}

const isFailed = ({ status }) => status === 'failed';
const suiteOf = ({ name }) => relative(root, name);
const titlesOf = ({ assertionResults }) => assertionResults.filter(isFailed).map(({ fullName }) => fullName);

/** Returns the failed suites that pass when rerun alone, with their first failures. */
async function findFlaky({ name, command }, failed) {
  if (failed.length > maxReruns) return [];
  console.log(`\n== ${name}: rerunning ${failed.map(suiteOf).join(' ')}`);
  const { report } = await runJest(command, `${name}-rerun`, '-w', '1', '--runTestsByPath', ...failed.map(suiteOf));
  const passed = new Set((report?.testResults ?? []).filter(({ status }) => status === 'passed').map(suiteOf));
  return failed
    .filter((suite) => passed.has(suiteOf(suite)))
    .map((suite) => ({ step: name, suite: suiteOf(suite), tests: titlesOf(suite) }));
}

/** Runs a step; a Jest run that fails without a failed test counts as one failure. */
async function runStep(step, isShared) {
  const title = `\n== ${step.name}: ${step.command.join(' ')}`;
  const output = isShared ? [] : undefined;
  console.log(isShared ? `\n== ${step.name}: started` : title);
  const begin = Date.now();
  const { code, report } = step.reportsTests
    ? await runJest(step.command, step.name)
    : { code: await run(step.command, output) };
  if (isShared) process.stdout.write(Buffer.concat([Buffer.from(`${title}\n`), ...output]));
  const failed = report?.testResults.filter(isFailed) ?? [];
  const flaky = failed.length > 0 ? await findFlaky(step, failed) : [];
  const failures = report ? report.numFailedTests + report.numRuntimeErrorTestSuites : 0;
  return {
    name: step.name,
    seconds: Math.round((Date.now() - begin) / 1000),
    passed: report?.numPassedTests ?? (code === 0 ? 1 : 0),
    failed: failures || (code === 0 ? 0 : 1),
    skipped: report?.numPendingTests ?? 0,
    failedSuites: failed.map((suite) => ({ suite: suiteOf(suite), tests: titlesOf(suite) })),
    flaky,
  };
}

function printFailures({ name, failed, failedSuites, flaky }) {
  const rerun = new Set(flaky.map(({ suite }) => suite));
  for (const { suite, tests } of failedSuites) {
    const outcome = rerun.has(suite) ? 'flaky (failed, then passed)' : 'failed';
    console.log(`${outcome}: ${suite}: ${tests.join('; ') || 'the suite did not run'}`);
  }
  if (failed > 0 && failedSuites.length === 0) console.log(`failed: ${name}`);
}

const write = (name, value) => writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`);
const given = process.argv.slice(2);
const unknown = given.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(`unknown step: ${unknown.join(', ')}; use ${steps.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const begin = Date.now();
const isSelected = ({ name }) => given.length === 0 || given.includes(name);
const results = [];
for (const group of groups) {
  const lanes = group.map((lane) => lane.filter(isSelected)).filter((lane) => lane.length > 0);
  const runLane = async (lane) => {
    for (const step of lane) results.push(await runStep(step, lanes.length > 1));
  };
  await Promise.all(lanes.map(runLane));
}
const seconds = Math.round((Date.now() - begin) / 1000);

const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
write('flaky.json', { commit, flaky: results.flatMap(({ flaky }) => flaky) });
write('steps.json', { commit, seconds, steps: results });
console.log('');
results.forEach(printFailures);
const times = results.map((result) => `${result.name} ${result.seconds} s`).join(', ');
console.log(`\n${times}, total ${seconds} s`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
