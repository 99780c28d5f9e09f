import { type Alert, type AlertGroup, type DiagnosisStep, type AlertCondition } from './alerts/alert';
import { alertGroups } from './alerts/alert-groups';
import { type MetricsVersion } from './metrics/metric';
import { type RecordingRule } from './recordings/recording';
import { recordingGroups } from './recordings/recording-groups';

/** Options of rules. */
export interface RuleOptions {
  /** Minor version of the API server, which decides the names of metrics. @default 1.36 */
  readonly kubernetes?: MetricsVersion;
  /** URL where docs/runbooks is served, without a trailing slash. @default docs/runbooks, as a path in this package */
  readonly runbooks?: string;
  /** Alert groups to omit, such as those of components that a cluster does not run. @default - none */
  readonly without?: readonly string[];
}

/** An alerting or recording rule, as Prometheus reads it. */
export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules that Prometheus evaluates in sequence. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** A rule file, as Prometheus and promtool read it. */
export interface RuleFile {
  readonly groups: readonly RuleGroup[];
}

/** Returns the URL of the runbook of an alert. */
export const runbookUrl = (alert: string, base = 'docs/runbooks'): string => `${base}/${alert}.md`;

const stepText = ({ check, command }: DiagnosisStep, index: number): string =>
  `${index + 1}. Check ${check}${command === undefined ? '' : `: ${command}`}`;

/** Escapes braces in a command, which Prometheus would evaluate as a template. */
const literal = (text: string): string => (text.includes('{{') ? `{{ ${JSON.stringify(text)} }}` : text);

/** Replaces the labels that a rule adds itself: a template sees only the labels of the series that fires. */
const described = (description: string, labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels).reduce((text, [name, value]) => text.replaceAll(`{{ $labels.${name} }}`, value), description);

const alertRule = (alert: Alert, condition: AlertCondition, { runbooks }: RuleOptions): Rule => ({
  alert: alert.name,
  expr: condition.expr,
  ...(condition.for !== undefined && { for: condition.for }),
  labels: { severity: condition.severity, owner: alert.owner, ...condition.labels },
  annotations: {
    summary: alert.summary,
    description: described(alert.description, condition.labels),
    diagnosis: literal(alert.diagnosis.map(stepText).join('\n')),
    runbook_url: runbookUrl(alert.name, runbooks),
  },
});

const recordingRule = ({ record, expr, labels }: RecordingRule): Rule => ({ record, expr, ...(labels && { labels }) });

const alertGroup = ({ name, alerts }: AlertGroup, options: RuleOptions): RuleGroup => ({
  name,
  rules: alerts.flatMap((alert) => alert.conditions.map((condition) => alertRule(alert, condition, options))),
});

/** Returns all recording and alerting rules as one file; recordings come first because alerts read them. */
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
