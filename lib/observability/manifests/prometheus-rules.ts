import { ruleFile, type RuleGroup, type RuleOptions } from '../rule-file';

/** Options of rules that are installed as Kubernetes objects. */
export interface PrometheusRuleOptions extends RuleOptions {
  /** Namespace of the objects. @default monitoring */
  readonly namespace?: string;
  /** Labels that Prometheus selects rules by. @default - `prometheus: k8s, role: alert-rules`, as in kube-prometheus */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A PrometheusRule of the Prometheus Operator. */
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

/** Returns all rules as PrometheusRule objects: recordings in one and alerts in the other, so that either can be omitted. */
export function prometheusRules(options: PrometheusRuleOptions = {}): readonly PrometheusRule[] {
  const { namespace = 'monitoring', labels = { prometheus: 'k8s', role: 'alert-rules' } } = options;
  const { groups } = ruleFile(options);
  const named = (name: string, selected: readonly RuleGroup[]): PrometheusRule => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, namespace, labels },
    spec: { groups: selected },
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
