// Runs the steps of .ci/run one after the other, goes on after a failure, and ends with the sum: each test and each step that is not a test run counts once.
// An end-to-end suite that failed beside another is tried once more, alone; what failed at first is told at the end, and what fails again counts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const reports = mkdtempSync(join(tmpdir(), 'pinion-ci-'));
const report = (name) => join(reports, `${name}.json`);

const steps = [
  { name: 'test', command: ['npm', 'test', '--', '--json', `--outputFile=${report('test')}`], report: report('test') },
  { name: 'check', command: ['npm', 'run', 'check'] },
  { name: 'start', command: ['npm', 'start'] },
  { name: 'consumer', command: ['npm', 'run', 'test:consumer'] },
  {
    name: 'e2e',
    command: ['npm', 'run', 'e2e', '--', '--json', `--outputFile=${report('e2e')}`],
    report: report('e2e'),
    again: (files) => ['npm', 'run', 'e2e', '--', '-w', '1', '--json', `--outputFile=${report('again')}`, ...files],
  },
];

const run = (command) =>
  new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

const read = (file) => (file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const failuresOf = (counts) => counts.numFailedTests + counts.numRuntimeErrorTestSuites;
const isFailed = ({ status }) => status === 'failed';
const retried = [];

/** The counts after suites that failed were tried again, alone. */
async function tryAgain(counts, command) {
  const failed = counts.testResults.filter(isFailed);
  for (const { name, assertionResults } of failed) {
    const titles = assertionResults.filter(isFailed).map(({ fullName }) => fullName);
    retried.push(`failed at first: ${relative(process.cwd(), name)}: ${titles.join('; ') || 'did not run'}`);
  }
  await run(command(failed.map(({ name }) => relative(process.cwd(), name))));
  const second = read(report('again'));
  if (!second) return counts;
  const passed = failed.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed');
  const pending = failed
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending');
  return {
    numPassedTests: counts.numPassedTests - passed.length + second.numPassedTests,
    numFailedTests: second.numFailedTests,
    numRuntimeErrorTestSuites: second.numRuntimeErrorTestSuites,
    numPendingTests: counts.numPendingTests - pending.length + second.numPendingTests,
  };
}

const sum = { passed: 0, failed: 0, skipped: 0 };
const times = [];
for (const step of steps) {
  console.log(`\n== ${step.name}: ${step.command.join(' ')}`);
  const begin = Date.now();
  const code = await run(step.command);
  const first = read(step.report);
  const isWorthAnother = first && step.again && failuresOf(first) > 0;
  const counts = isWorthAnother ? await tryAgain(first, step.again) : first;
  times.push(`${step.name} ${Math.round((Date.now() - begin) / 1000)} s`);
  if (counts) {
    sum.passed += counts.numPassedTests;
    sum.failed += failuresOf(counts);
    sum.skipped += counts.numPendingTests;
    if (code !== 0 && failuresOf(first) === 0) sum.failed += 1;
  } else if (code === 0) sum.passed += 1;
  else sum.failed += 1;
}
for (const line of retried) console.log(line);
console.log(`\n${times.join(', ')}`);
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
process.exit(sum.failed > 0 ? 1 : 0);
