import { type Alert, type AlertGroup, type Check, type Condition } from './alert';
import { alertGroups } from './alert-groups';
import { type KubernetesVersion } from './metric';
import { type RecordingRule } from './recording';
import { recordingGroups } from './recordings';

/** What rules are made for. */
export interface RuleOptions {
  /** Minor version of the API server, whose names of metrics are taken. @default 1.36 */
  readonly kubernetes?: KubernetesVersion;
  /** Where the pages of docs/runbooks are served, without a slash at the end. @default docs/runbooks, as a path in this package */
  readonly runbooks?: string;
  /** Groups of alerts that are left out, such as those of parts that a cluster does not have. @default - none */
  readonly without?: readonly string[];
}

/** One rule as Prometheus reads it: an alert, or a recording. */
export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules that are evaluated one after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** A file of rules, as Prometheus and promtool read it. */
export interface RuleFile {
  readonly groups: readonly RuleGroup[];
}

/** Address of the page of an alert. */
export const runbookOf = (alert: string, base = 'docs/runbooks'): string => `${base}/${alert}.md`;

const checkText = ({ look, command }: Check, index: number): string =>
  `${index + 1}. ${look}${command === undefined ? '' : `: ${command}`}`;

/** A check may hold what Prometheus takes for a template, such as braces: it is written as a text of one. */
const literal = (text: string): string => (text.includes('{{') ? `{{ ${JSON.stringify(text)} }}` : text);

/** A template sees the labels of what fires, not those that the rule itself adds: these are known here. */
const described = (description: string, labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels).reduce((text, [name, value]) => text.replaceAll(`{{ $labels.${name} }}`, value), description);

const alertRule = (alert: Alert, condition: Condition, { runbooks }: RuleOptions): Rule => ({
  alert: alert.name,
  expr: condition.expr,
  ...(condition.for !== undefined && { for: condition.for }),
  labels: { severity: condition.severity, owner: alert.owner, ...condition.labels },
  annotations: {
    summary: alert.summary,
    description: described(alert.description, condition.labels),
    first_checks: literal(alert.checks.map(checkText).join('\n')),
    runbook_url: runbookOf(alert.name, runbooks),
  },
});

const recordingRule = ({ record, expr, labels }: RecordingRule): Rule => ({ record, expr, ...(labels && { labels }) });

const alertGroup = ({ name, alerts }: AlertGroup, options: RuleOptions): RuleGroup => ({
  name,
  rules: alerts.flatMap((alert) => alert.when.map((condition) => alertRule(alert, condition, options))),
});

/** All recording and alert rules as one file of rules; recordings come first, as alerts read them. */
export const ruleFile = (options: RuleOptions = {}): RuleFile => ({
  groups: [
    ...recordingGroups(options.kubernetes ?? '1.36').map(({ name, interval, rules }) => ({
      name,
      ...(interval !== undefined && { interval }),
      rules: rules.map(recordingRule),
    })),
    ...alertGroups.filter(({ name }) => !options.without?.includes(name)).map((group) => alertGroup(group, options)),
  ],
});
