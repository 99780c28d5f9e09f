import { type ConfigMapManifest } from './config-map-manifest';
import { type PrometheusRuleOptions } from './prometheus-rules';
import { ruleFile } from '../rule-file';

/**
 * Returns all rules as a file in a ConfigMap, for a Prometheus without an operator. Prometheus mounts the ConfigMap from its own
 * namespace and lists the file in `rule_files`. The file is JSON, which is valid YAML.
 */
export function ruleConfigMap(options: PrometheusRuleOptions = {}): ConfigMapManifest {
  const { namespace = 'monitoring', labels = { prometheus_rules: '1' } } = options;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'pinion-rules', namespace, labels },
    data: { 'pinion-rules.yaml': `${JSON.stringify(ruleFile(options), undefined, 2)}\n` },
  };
}
