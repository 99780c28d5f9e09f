import { keys, recommended } from '../api';
import { type PrometheusRuleOptions } from './prometheus-rules';
import { ownJobs } from './terms';

/** A PodMonitor, as the Prometheus Operator reads it. */
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

/** Which pods are scraped. */
type Pods = {
  readonly namespaceSelector: { readonly matchNames: readonly string[] } | { readonly any: true };
  readonly selector: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly { readonly key: string; readonly operator: 'Exists' }[];
  };
};

/** One program of pinion's that shows metrics in pods. */
interface Scraped {
  /** Job that rules know its targets by. */
  readonly job: string;
  /** Group of alerts that it is scraped for. */
  readonly group: string;
  /** Name of the container port. */
  readonly port: string;
  readonly pods: Pods;
}

/** Pods of that name where pinion installs them: anybody else's of the same name must not answer for them. */
const podsOf = (namespace: string, name: string): Pods => ({
  namespaceSelector: { matchNames: [namespace] },
  selector: { matchLabels: { [recommended.name]: name } },
});

const scraped: readonly Scraped[] = [
  {
    job: ownJobs.controller,
    group: 'pinion-controller',
    port: 'http',
    pods: podsOf('pinion-controller', 'pinion-controller'),
  },
  {
    job: ownJobs.submission,
    group: 'pinion-submission',
    port: 'status',
    pods: podsOf('pinion-submission', 'submission'),
  },
  {
    job: ownJobs.registrar,
    group: 'pinion-registrar',
    port: 'pinion-traffic',
    pods: {
      namespaceSelector: { any: true },
      selector: { matchExpressions: [{ key: keys.workload, operator: 'Exists' }] },
    },
  },
];

/**
 * What has the Prometheus Operator scrape pinion's programs that run in pods, under the jobs that rules ask for: the
 * controller, the submission service and the registrars beside workloads. A part whose group of alerts is left out is
 * not scraped either.
 */
export const podMonitors = ({
  namespace = 'monitoring',
  labels = { prometheus: 'k8s' },
  without = [],
}: PrometheusRuleOptions = {}): readonly PodMonitor[] =>
  scraped
    .filter(({ group }) => !without.includes(group))
    .map(({ job, port, pods }) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: job, namespace, labels },
      spec: {
        ...pods,
        // The operator would name the job after this object and its namespace.
        podMetricsEndpoints: [
          { port, path: '/metrics', relabelings: [{ action: 'replace', targetLabel: 'job', replacement: job }] },
        ],
      },
    }));
