export { alertGroups } from './alert-groups';
export { type Alert, type AlertGroup, type Check, type Condition, type Owner, type Severity } from './alert';
export { catalogue, targetLabels } from './catalogue';
export { kubernetesVersions, nameIn, type Component, type KubernetesVersion, type Metric } from './metric';
export { prometheusRules, type PrometheusRule, type PrometheusRuleOptions } from './prometheus-rules';
export { type RecordingGroup, type RecordingRule } from './recording';
export { recordingGroups } from './recordings';
export { ruleFile, runbookOf, type Rule, type RuleFile, type RuleGroup, type RuleOptions } from './rules';
export { runbookPage } from './runbook';
