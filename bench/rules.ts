import { readFileSync } from 'node:fs';
import { ruleFile } from '../lib/observability';
import { type Outcome, PromtoolFiles, whyNoPromtool } from '../test/observability/promtool';
import { ruleCases } from '../test/observability/rule-cases';
import { median, ratio } from './ratio';

/** Number of timed rounds; the median is reported. */
const rounds = 3;

function timed(run: () => Outcome): number {
  const started = performance.now();
  const { status, output } = run();
  if (status !== 0) throw new Error(output);
  return (performance.now() - started) / 1000;
}

const medianSeconds = (run: () => Outcome): number =>
  median(
    Array.from({ length: rounds }, () => timed(run)),
    (seconds) => seconds,
  );

function main(): void {
  const missing = whyNoPromtool();
  if (missing !== undefined) {
    console.log(`skipped: ${missing}`);
    return;
  }
  const file = ruleFile();
  const files = new PromtoolFiles(file);
  try {
    const rules = file.groups.reduce((sum, group) => sum + group.rules.length, 0);
    const fired = JSON.parse(readFileSync('test/observability/fired-alerts.json', 'utf8')) as Parameters<
      PromtoolFiles['test']
    >[1];
    const check = medianSeconds(() => files.run('check', 'rules', files.rules));
    const once = medianSeconds(() => files.evaluate(ruleCases.flatMap((each) => each.fires)));
    const cases = medianSeconds(() => files.test(ruleCases, fired));
    console.log(
      `${rules} rules: checked in ${check.toFixed(2)} s; all of them over ten minutes in ${once.toFixed(2)} s;`,
    );
    console.log(`${ruleCases.length} cases, each twice, in ${cases.toFixed(2)} s; medians of ${rounds}`);
    console.log(`load average: ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
    ratio('rules-evaluated-seconds', once, '<=', 10);
  } finally {
    files.remove();
  }
}

main();
