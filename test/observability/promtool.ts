import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Rule, type RuleFile } from '../../lib/observability';
import { caseKey, type RuleCase } from './rule-case';
import { type Series } from './series';

/** Reason why promtool cannot run here; undefined if it can. */
export const whyNoPromtool = (): string | undefined =>
  spawnSync('promtool', ['--version']).status === 0 ? undefined : "promtool of Debian's package prometheus is not here";

/** A firing alert: all of its labels except its name, and its description with values. */
export interface FiredAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string;
}

/** Result of a promtool run. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs promtool tests of rules with files in a temporary folder. */
export class PromtoolFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'pinion-promtool-'));
  readonly rules = join(this.folder, 'rules.json');

  readonly #rules: readonly Rule[];

  constructor(file: RuleFile) {
    this.#rules = file.groups.flatMap(({ rules }) => rules);
    // JSON is valid YAML.
    writeFileSync(this.rules, JSON.stringify(file));
  }

  run(...args: readonly string[]): Outcome {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return { status, output: `${stdout}${stderr}` };
  }

  /** Runs cases: each must fire as expected in its first half, and not at all in its second half. */
  test(cases: readonly RuleCase[], fired: Readonly<Record<string, readonly FiredAlert[]>>): Outcome {
    return this.run(
      'test',
      'rules',
      ...cases.map((each, index) =>
        this.#write(each, index, [this.#fires(each, fired[caseKey(each)] ?? []), quiet(each)]),
      ),
    );
  }

  /** Returns the alerts that fire in one half of a case: the promtool test expects none, so promtool prints those that fire. */
  observed(each: RuleCase): FiredAlert[] {
    const { output } = this.run('test', 'rules', this.#write(each, 0, [this.#fires(each, [])]));
    const got = output.slice(output.indexOf('got:['));
    return [...got.matchAll(/Labels:\{(.*)\}\s+Annotations:\{(.*)\}/g)].map(([, labels = '', annotations = '']) => {
      const { alertname: _, ...rest } = pairs(labels);
      return { labels: rest, description: pairs(annotations)['description'] ?? '' };
    });
  }

  /** Evaluates all rules each minute over ten series; each series once, even if two rules use it. */
  evaluate(series: readonly Series[]): Outcome {
    const file = join(this.folder, 'evaluate.json');
    const once = [...new Map(series.map((each) => [each.series, each])).values()];
    const tests = [
      {
        interval: '1m',
        input_series: once,
        promql_expr_test: [{ expr: 'count(up) > bool 0', eval_time: '10m', exp_samples: [{ labels: '{}', value: 1 }] }],
      },
    ];
    writeFileSync(file, JSON.stringify({ rule_files: [this.rules], evaluation_interval: '1m', tests }));
    return this.run('test', 'rules', file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes tests of an alert with only its rules and their inputs, because promtool would evaluate all others each minute too. */
  #write(each: RuleCase, index: number, tests: readonly object[]): string {
    const rules = join(this.folder, `rules-${index}.json`);
    const own = this.#rules.filter(({ alert }) => alert === each.alert);
    const read = this.#rules.filter(
      ({ record = '' }) => record !== '' && own.some(({ expr }) => expr.includes(record)),
    );
    writeFileSync(rules, JSON.stringify({ groups: [{ name: each.alert, rules: [...read, ...own] }] }));
    const file = join(this.folder, `tests-${index}.json`);
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: `${each.every ?? 1}m`, tests }));
    return file;
  }

  #fires(each: RuleCase, fired: readonly FiredAlert[]): object {
    const { annotations: { diagnosis = '', ...rest } = {} } = this.#ruleOf(each);
    const expected = fired.map(({ labels, description }) => ({
      exp_labels: labels,
      exp_annotations: { ...rest, diagnosis: plain(diagnosis), description },
    }));
    return {
      name: `${caseKey(each)} fires`,
      interval: '1m',
      input_series: each.fires,
      promql_expr_test: [{ expr: firing(each), eval_time: `${each.at}m`, exp_samples: [{ labels: '{}', value: 1 }] }],
      alert_rule_test: [{ eval_time: `${each.at}m`, alertname: each.alert, exp_alerts: expected }],
    };
  }

  #ruleOf(each: RuleCase): Rule {
    const found = this.#rules.find(
      ({ alert, labels }) => alert === each.alert && labels?.['severity'] === each.severity,
    );
    if (!found) throw new Error(`there is no rule ${caseKey(each)}`);
    return found;
  }
}

/** Number of alerts of a state that fire. */
function firing({ alert, severity, labels = {} }: RuleCase): string {
  const matchers = Object.entries({ alertname: alert, alertstate: 'firing', severity, ...labels });
  return `count(ALERTS{${matchers.map(([name, value]) => `${name}="${value}"`).join(',')}}) or vector(0)`;
}

const quiet = (each: RuleCase): object => ({
  name: `${caseKey(each)} does not fire`,
  interval: '1m',
  input_series: each.quiet,
  promql_expr_test: [{ expr: firing(each), eval_time: `${each.at}m`, exp_samples: [{ labels: '{}', value: 0 }] }],
});

/** A string as a template renders it. */
const plain = (text: string): string => (text.startsWith('{{ "') ? (JSON.parse(text.slice(3, -3)) as string) : text);

/** `{a="1", b="2"}` without its braces, as Go formats labels. */
const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)].map(([, name = '', value = '""']) => [
      name,
      JSON.parse(value) as string,
    ]),
  );
