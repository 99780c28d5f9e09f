import { metadataKeys, recommended } from '../../api';
import { type PrometheusRuleOptions } from './prometheus-rules';
import { pinionJobs } from '../promql';

/** A PodMonitor of the Prometheus Operator. */
export type PodMonitor = {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'PodMonitor';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: Pods & {
    readonly podMetricsEndpoints: readonly [
      {
        readonly port: string;
        readonly path: '/metrics';
        readonly relabelings: readonly [
          { readonly action: 'replace'; readonly targetLabel: 'job'; readonly replacement: string },
        ];
      },
    ];
  };
};

/** Selection of pods to scrape. */
type Pods = {
  readonly namespaceSelector: { readonly matchNames: readonly string[] } | { readonly any: true };
  readonly selector: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly (
      | { readonly key: string; readonly operator: 'Exists' }
      | { readonly key: string; readonly operator: 'In'; readonly values: readonly string[] }
    )[];
  };
};

/** A pinion program that exposes metrics in pods. */
interface ScrapeTarget {
  /** Scrape job that rules select. */
  readonly job: string;
  /** Alert group that needs its metrics. */
  readonly group: string;
  /** Name of the metrics port. */
  readonly port: string;
  readonly pods: Pods;
}

/** Selects pods by name in the namespace of the program only, so that pods of other namespaces cannot impersonate it. */
const podsOf = (namespace: string, name: string): Pods => ({
  namespaceSelector: { matchNames: [namespace] },
  selector: { matchLabels: { [recommended.name]: name } },
});

const scrapeTargets: readonly ScrapeTarget[] = [
  {
    job: pinionJobs.controller,
    group: 'pinion-controller',
    port: 'http',
    pods: {
      namespaceSelector: { matchNames: ['pinion-controller'] },
      selector: {
        matchExpressions: [
          { key: recommended.name, operator: 'In', values: ['pinion-controller', 'pinion-platform-controller'] },
        ],
      },
    },
  },
  {
    job: pinionJobs.submission,
    group: 'pinion-submission',
    port: 'status',
    pods: podsOf('pinion-submission', 'submission'),
  },
  {
    job: pinionJobs.gateway,
    group: 'pinion-gateway',
    port: 'status',
    pods: podsOf('pinion-gateway', 'pinion-gateway'),
  },
  {
    job: pinionJobs.clients,
    group: 'pinion-clients',
    port: 'metrics',
    pods: podsOf('kube-system', 'pinion-client-monitor'),
  },
  {
    job: pinionJobs.registrar,
    group: 'pinion-registrar',
    port: 'pinion-traffic',
    pods: {
      namespaceSelector: { any: true },
      selector: { matchExpressions: [{ key: metadataKeys.workload, operator: 'Exists' }] },
    },
  },
];

/**
 * Returns the PodMonitors of pinion's programs that run in pods (controllers, submission service, gateway, client monitor, registrars), with the jobs that
 * rules select. A component whose alert group is omitted is not scraped.
 */
export const podMonitors = ({
  namespace = 'monitoring',
  labels = { prometheus: 'k8s' },
  without = [],
}: PrometheusRuleOptions = {}): readonly PodMonitor[] =>
  scrapeTargets
    .filter(({ group }) => !without.includes(group))
    .map(({ job, port, pods }) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: job, namespace, labels },
      spec: {
        ...pods,
        // By default the operator names the job after this object and its namespace.
        podMetricsEndpoints: [
          { port, path: '/metrics', relabelings: [{ action: 'replace', targetLabel: 'job', replacement: job }] },
        ],
      },
    }));
