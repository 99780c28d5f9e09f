export { alertGroups } from './alerts/alert-groups';
export {
  type Alert,
  type AlertGroup,
  type DiagnosisStep,
  type AlertCondition,
  type AlertOwner,
  type Severity,
} from './alerts/alert';
export { metricsCatalog, targetLabels } from './metrics/metrics-catalog';
export { type ConfigMapManifest } from './manifests/config-map-manifest';
export { dashboardConfigMaps, dashboards, type Dashboard } from './boards/dashboards';
export { kubernetesVersions, nameIn, type Component, type MetricsVersion, type Metric } from './metrics/metric';
export {
  observabilityManifests,
  ruleForms,
  type ObservabilityOptions,
  type RuleForm,
} from './manifests/observability-manifests';
export { podMonitors, type PodMonitor } from './manifests/pod-monitors';
export { prometheusRules, type PrometheusRule, type PrometheusRuleOptions } from './manifests/prometheus-rules';
export { type RecordingGroup, type RecordingRule } from './recordings/recording';
export { recordingGroups } from './recordings/recording-groups';
export { ruleConfigMap } from './manifests/rule-config-map';
export { ruleFile, runbookUrl, type Rule, type RuleFile, type RuleGroup, type RuleOptions } from './rule-file';
export { renderRunbook } from './runbook';
