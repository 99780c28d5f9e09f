// Runs all steps of .ci/run, or those given by name (node scripts/ci.mjs [STEP…]), continues after a failure, and ends
// with "N passed, N failed": each test counts, and each step that reports no tests counts once.
// The end-to-end suites wait more than they compute, so the steps that need no control plane run beside them, at a lower
// priority; their output is printed when they end.
// A suite that fails runs once more, alone, after all steps. It counts as failed either way; one that then passes is flaky, and listed in
// build/ci/flaky.json, which is written by every run.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build', 'ci');
/** More failed suites than this are broken together, and not rerun. */
const maxReruns = 8;

const npm = (script) => ({ name: script, command: ['npm', 'run', script] });
const background = (step) => ({ ...step, isBackground: true });
const steps = [
  { name: 'test', command: ['npm', 'test'], reportsTests: true },
  npm('start'),
  { ...npm('e2e'), reportsTests: true },
  background(npm('check')),
  background({ ...npm('test:consumer'), name: 'consumer' }),
  background({ ...npm('test:seventh-kind'), name: 'seventh-kind' }),
  background(npm('docs')),
  background({ ...npm('test:images'), name: 'images' }),
  background({ ...npm('test:node-versions'), name: 'node-versions' }),
];
/** The priority of background steps, from -20 (first) to 19 (last). */
const backgroundPriority = 10;

const heading = (name, command) => `\n== ${name}: ${command.join(' ')}\n`;

const spawnAndWait = (command, output, priority) =>
  new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', output, output] });
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

const run = (command) => spawnAndWait(command, 'inherit');

/** Runs a command at low priority, and prints its output as a whole. */
async function runInBackground(name, command) {
  const file = join(folder, `${name}.log`);
  const output = openSync(file, 'w');
  const code = await spawnAndWait(command, output, backgroundPriority);
  closeSync(output);
  process.stdout.write(`${heading(name, command)}${readFileSync(file, 'utf8')}`);
  return code;
}

/** Runs a command that runs Jest; its report is undefined where Jest did not finish. */
async function runJest(command, name, ...args) {
  const file = join(folder, `${name}.json`);
  const code = await run([...command, '--', '--json', `--outputFile=${file}`, ...args]);
  return { code, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined };
}

const secondsSince = (begin) => Math.round((Date.now() - begin) / 1000);
const isFailed = ({ status }) => status === 'failed';
const suiteOf = ({ name }) => relative(root, name);
const titlesOf = ({ assertionResults }) => assertionResults.filter(isFailed).map(({ fullName }) => fullName);

/** Runs the failed suites again, alone, and records those that pass as flaky. */
async function findFlaky({ step: { name, command }, result, failed }) {
  if (failed.length === 0 || failed.length > maxReruns) return;
  console.log(`\n== ${name}: rerunning ${failed.map(suiteOf).join(' ')}`);
  const begin = Date.now();
  const { report } = await runJest(command, `${name}-rerun`, '-w', '1', '--runTestsByPath', ...failed.map(suiteOf));
  const passed = new Set((report?.testResults ?? []).filter(({ status }) => status === 'passed').map(suiteOf));
  result.flaky = failed
    .filter((suite) => passed.has(suiteOf(suite)))
    .map((suite) => ({ step: name, suite: suiteOf(suite), tests: titlesOf(suite) }));
  result.rerunSeconds = secondsSince(begin);
}

async function runCommandOf({ name, command, reportsTests, isBackground }) {
  if (isBackground) return { code: await runInBackground(name, command) };
  process.stdout.write(heading(name, command));
  return reportsTests ? runJest(command, name) : { code: await run(command) };
}

/** Runs a step; a Jest run that fails without a failed test counts as one failure. */
async function runStep(step) {
  const begin = Date.now();
  const { code, report } = await runCommandOf(step);
  const failed = report?.testResults.filter(isFailed) ?? [];
  const failures = report ? report.numFailedTests + report.numRuntimeErrorTestSuites : 0;
  const result = {
    name: step.name,
    seconds: secondsSince(begin),
    passed: report?.numPassedTests ?? (code === 0 ? 1 : 0),
    failed: failures || (code === 0 ? 0 : 1),
    skipped: report?.numPendingTests ?? 0,
    failedSuites: failed.map((suite) => ({ suite: suiteOf(suite), tests: titlesOf(suite) })),
    flaky: [],
  };
  return { step, result, failed };
}

/** Runs steps one after the other. */
async function runInOrder(some) {
  const done = [];
  for (const step of some) done.push(await runStep(step));
  return done;
}

/** Runs the background steps beside the end-to-end suites, after the steps that prepare what they need. */
async function runAll(some) {
  const isEndToEnd = ({ name }) => name === 'e2e';
  const before = await runInOrder(some.filter((step) => !step.isBackground && !isEndToEnd(step)));
  const beside = await Promise.all([
    runInOrder(some.filter(isEndToEnd)),
    runInOrder(some.filter(({ isBackground }) => isBackground)),
  ]);
  return [...before, ...beside.flat()];
}

function printFailures({ name, failed, failedSuites, flaky }) {
  const rerun = new Set(flaky.map(({ suite }) => suite));
  for (const { suite, tests } of failedSuites) {
    const verdict = rerun.has(suite) ? 'flaky (failed, then passed)' : 'failed';
    console.log(`${verdict}: ${suite}: ${tests.join('; ') || 'the suite did not run'}`);
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
const runs = await runAll(steps.filter(({ name }) => given.length === 0 || given.includes(name)));
for (const one of runs) await findFlaky(one);
const results = runs.map(({ result }) => result);
const seconds = secondsSince(begin);

const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
write('flaky.json', { commit, flaky: results.flatMap(({ flaky }) => flaky) });
write('steps.json', { commit, seconds, steps: results });
console.log('');
results.forEach(printFailures);
console.log(`\n${results.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}, total ${seconds} s`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
