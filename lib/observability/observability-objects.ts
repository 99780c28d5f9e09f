import { type FileMap } from './config-map';
import { dashboardConfigMaps } from './dashboards';
import { podMonitors, type PodMonitor } from './pod-monitors';
import { prometheusRules, type PrometheusRule, type PrometheusRuleOptions } from './prometheus-rules';
import { ruleConfigMap } from './rule-config-map';

/** How rules are installed: as objects of the Prometheus Operator, or as a file in a ConfigMap. */
export const ruleForms = ['prometheus-rule', 'config-map'] as const;

/** A form in which rules are installed. */
export type RuleForm = (typeof ruleForms)[number];

/** What of an installation is placed, and how. */
export interface ObservabilityOptions extends PrometheusRuleOptions {
  /** How rules are installed; the first needs the definitions of the Prometheus Operator. @default prometheus-rule */
  readonly rules?: RuleForm;
  /** Whether the Prometheus Operator is told to scrape pinion's programs; without it nobody is. @default - true where rules are its objects */
  readonly monitors?: boolean;
  /** Whether Grafana's dashboards are placed too, as ConfigMaps. @default true */
  readonly dashboards?: boolean;
}

/** Rules, what scrapes pinion's programs, and dashboards, unless they are not wanted, as the objects that install them. */
export const observabilityObjects = ({
  rules = 'prometheus-rule',
  monitors = rules === 'prometheus-rule',
  dashboards = true,
  ...options
}: ObservabilityOptions = {}): readonly (PrometheusRule | PodMonitor | FileMap)[] => [
  ...(rules === 'prometheus-rule' ? prometheusRules(options) : [ruleConfigMap(options)]),
  ...(monitors ? podMonitors(options) : []),
  ...(dashboards ? dashboardConfigMaps(options.namespace) : []),
];
