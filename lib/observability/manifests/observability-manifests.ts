import { type ConfigMapManifest } from './config-map-manifest';
import { dashboardConfigMaps } from '../boards/dashboards';
import { podMonitors, type PodMonitor } from './pod-monitors';
import { prometheusRules, type PrometheusRule, type PrometheusRuleOptions } from './prometheus-rules';
import { ruleConfigMap } from './rule-config-map';

/** Forms in which rules are installed: objects of the Prometheus Operator, or a file in a ConfigMap. */
export const ruleForms = ['prometheus-rule', 'config-map'] as const;

/** A form in which rules are installed. */
export type RuleForm = (typeof ruleForms)[number];

/** Options of an installation of rules, monitors and dashboards. */
export interface ObservabilityOptions extends PrometheusRuleOptions {
  /** Form in which rules are installed; `prometheus-rule` needs the CRDs of the Prometheus Operator. @default prometheus-rule */
  readonly rules?: RuleForm;
  /** Whether to create PodMonitors for pinion's programs. @default - true if `rules` is `prometheus-rule` */
  readonly monitors?: boolean;
  /** Whether to create ConfigMaps with Grafana dashboards. @default true */
  readonly dashboards?: boolean;
}

/** Returns the objects that install rules, PodMonitors and dashboards. */
export const observabilityManifests = ({
  rules = 'prometheus-rule',
  monitors = rules === 'prometheus-rule',
  dashboards = true,
  ...options
}: ObservabilityOptions = {}): readonly (PrometheusRule | PodMonitor | ConfigMapManifest)[] => [
  ...(rules === 'prometheus-rule' ? prometheusRules(options) : [ruleConfigMap(options)]),
  ...(monitors ? podMonitors(options) : []),
  ...(dashboards ? dashboardConfigMaps(options.namespace) : []),
];
