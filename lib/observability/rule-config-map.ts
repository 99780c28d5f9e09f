import { type FileMap } from './config-map';
import { type PrometheusRuleOptions } from './prometheus-rules';
import { ruleFile } from './rules';

/**
 * All rules as one file in a ConfigMap, for a Prometheus without an operator: it mounts the ConfigMap, which has to be in its
 * own namespace, and names the file among its `rule_files`. The file is JSON, which is YAML too.
 */
export function ruleConfigMap(options: PrometheusRuleOptions = {}): FileMap {
  const { namespace = 'monitoring', labels = { prometheus_rules: '1' } } = options;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'pinion-rules', namespace, labels },
    data: { 'pinion-rules.yaml': `${JSON.stringify(ruleFile(options), undefined, 2)}\n` },
  };
}
