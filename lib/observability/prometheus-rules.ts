import { ruleFile, type RuleGroup, type RuleOptions } from './rules';

/** Where the objects of an installation go. */
export interface PrometheusRuleOptions extends RuleOptions {
  /** @default monitoring */
  readonly namespace?: string;
  /** Labels by which a Prometheus finds its rules. @default - `prometheus: k8s, role: alert-rules`, as kube-prometheus asks for */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A PrometheusRule, as the Prometheus Operator reads it. */
export type PrometheusRule = {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'PrometheusRule';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly groups: readonly RuleGroup[] };
};

/** All rules as objects of the Prometheus Operator: recordings in one, alerts in another, so that either can be left out. */
export function prometheusRules(options: PrometheusRuleOptions = {}): readonly PrometheusRule[] {
  const { namespace = 'monitoring', labels = { prometheus: 'k8s', role: 'alert-rules' } } = options;
  const { groups } = ruleFile(options);
  const named = (name: string, chosen: readonly RuleGroup[]): PrometheusRule => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, namespace, labels },
    spec: { groups: chosen },
  });
  const isRecording = ({ rules }: RuleGroup): boolean => rules.every(({ record }) => record !== undefined);
  return [
    named('pinion-recordings', groups.filter(isRecording)),
    named(
      'pinion-alerts',
      groups.filter((group) => !isRecording(group)),
    ),
  ];
}
