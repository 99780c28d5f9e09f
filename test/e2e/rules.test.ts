import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesVersions, ruleFile } from '../../lib/observability';
import { type FiredAlert, PromtoolFiles, whyNoPromtool } from '../observability/promtool';
import { caseKey } from '../observability/rule-case';
import { ruleCases } from '../observability/rule-cases';

const goldens = join(__dirname, '..', 'observability', 'fired-alerts.json');
const fired = JSON.parse(readFileSync(goldens, 'utf8')) as Readonly<Record<string, readonly FiredAlert[]>>;
const skipReason = whyNoPromtool();
const describeIfAvailable = skipReason === undefined ? describe : describe.skip;

describeIfAvailable(
  `alerting and recording rules by promtool${skipReason === undefined ? '' : ` (skipped: ${skipReason})`}`,
  () => {
    const allFiles: PromtoolFiles[] = [];
    const files = (...options: Parameters<typeof ruleFile>): PromtoolFiles => {
      const ruleFiles = new PromtoolFiles(ruleFile(...options));
      allFiles.push(ruleFiles);
      return ruleFiles;
    };
    afterAll(() => allFiles.forEach((each) => each.remove()));

    test.each(kubernetesVersions)('every rule for Kubernetes %s is valid', (kubernetes) => {
      const ruleFiles = files({ kubernetes, runbooks: 'https://runbooks.example.com' });
      const { status, output } = ruleFiles.run('check', 'rules', '--lint=all', '--lint-fatal', ruleFiles.rules);
      expect(output).toContain('SUCCESS');
      expect(status).toBe(0);
    });

    test('every alert fires in its firing case with the committed labels and description, and not in its quiet case', () => {
      const ruleFiles = files();
      if (process.env['UPDATE_GOLDEN']) {
        const observed = Object.fromEntries(ruleCases.map((each) => [caseKey(each), ruleFiles.observed(each)]));
        writeFileSync(goldens, `${JSON.stringify(observed, undefined, 2)}\n`);
      }
      const { status, output } = ruleFiles.test(ruleCases, fired);
      expect(output).not.toContain('FAILED');
      expect(status).toBe(0);
    }, 120_000);

    test('promtool fails a case whose alert does not fire', () => {
      const [first] = ruleCases;
      if (!first) throw new Error('there are no cases');
      const { status, output } = files().test([{ ...first, fires: first.quiet }], fired);
      expect(output).toContain('FAILED');
      expect(status).not.toBe(0);
    });
  },
);
