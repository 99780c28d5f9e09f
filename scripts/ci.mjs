// Runs the steps of .ci/run one after the other, goes on after a failure, and ends with the sum: each test and each step that is not a test run counts once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  },
];

const run = (command) =>
  new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

const sum = { passed: 0, failed: 0, skipped: 0 };
const times = [];
for (const step of steps) {
  console.log(`\n== ${step.name}: ${step.command.join(' ')}`);
  const begin = Date.now();
  const code = await run(step.command);
  times.push(`${step.name} ${Math.round((Date.now() - begin) / 1000)} s`);
  const counts = step.report && existsSync(step.report) ? JSON.parse(readFileSync(step.report, 'utf8')) : undefined;
  if (counts) {
    sum.passed += counts.numPassedTests;
    sum.failed += counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    sum.skipped += counts.numPendingTests;
    if (code !== 0 && counts.numFailedTests + counts.numRuntimeErrorTestSuites === 0) sum.failed += 1;
  } else if (code === 0) sum.passed += 1;
  else sum.failed += 1;
}
console.log(`\n${times.join(', ')}`);
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
process.exit(sum.failed > 0 ? 1 : 0);
