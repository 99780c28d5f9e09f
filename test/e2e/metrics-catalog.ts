import {
  metricsCatalog,
  dashboards,
  nameIn,
  ruleFile,
  type Component,
  type MetricsVersion,
  type Metric,
} from '../../lib/observability';
import { waitFor } from '../control-plane/wait-for';
import { namesIn } from '../observability/promql';
import { type PrometheusServer } from '../quota/prometheus-server';
import {
  callWebhooks,
  sendBurst,
  createUnreachableWebhooks,
  nonExemptUser,
  readAndWatch,
  userWithoutSeats,
  removeSeats,
} from './metric-triggers';
import { describeScraped } from './scraped-control-plane';

/** Metrics that a control plane of the tests cannot produce, each with the reason. */
const unavailableMetrics: Readonly<Record<string, string>> = {
  apiserver_terminated_watchers_total:
    'a watcher would have to read slower than the server writes until its buffers are full',
  workqueue_retries_total: 'a reconcile would have to fail',
  pinion_watch_idle_timeouts_total: 'a connection would have to stall for minutes',
  pinion_gateway_memory_limit_bytes: 'the gateway would have to run in a control group with a limit',
  pinion_undecodable_objects_total: 'the API server stores no undecodable object',
};

/** Returns the labels of a metric that rules and panels use. */
function usedLabels(metric: Metric, version: MetricsVersion): string[] {
  const name = nameIn(metric, version);
  const ownLabels = metric.type === 'histogram' ? [...metric.labels, 'le'] : metric.labels;
  const expressions = [
    ...ruleFile({ kubernetes: version }).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboards().flatMap((each) => each.expressions),
  ];
  const used = expressions.flatMap((expression) => {
    const { selectors, groupings } = namesIn(expression);
    const ownSelectors = selectors.filter(
      ({ metric: each }) => each.replace(/_(bucket|sum|count)$/, '') === name || each === name,
    );
    return ownSelectors.length === 0 ? [] : [...ownSelectors.flatMap(({ labels }) => labels), ...groupings];
  });
  return [...new Set(used)].filter((label) => ownLabels.includes(label));
}

/** Returns the series and labels of a component that a Prometheus server has not scraped. */
export async function missingMetrics(
  prometheus: PrometheusServer,
  component: Component,
  job: string,
  version: MetricsVersion,
): Promise<string[]> {
  const missing: string[] = [];
  for (const metric of metricsCatalog) {
    if (metric.component !== component || metric.name in unavailableMetrics) continue;
    const name = nameIn(metric, version);
    const seriesName = metric.type === 'histogram' ? `${name}_bucket` : name;
    const series = await prometheus.query(`last_over_time(${seriesName}{job="${job}"}[10m])`);
    const labels = new Set(series.flatMap((each) => Object.keys(each.labels)));
    if (series.length === 0) missing.push(seriesName);
    else
      missing.push(
        ...usedLabels(metric, version)
          .filter((label) => !labels.has(label))
          .map((label) => `${seriesName}{${label}}`),
      );
  }
  return missing;
}

/** Defines the suite that compares the catalog with a control plane of a version. */
export function describeMetricsCatalog(kubernetes: MetricsVersion): void {
  describeScraped(
    `metrics catalog on Kubernetes ${kubernetes}`,
    { kubernetes, users: [userWithoutSeats, nonExemptUser] },
    (running) => {
      test('scrapes every API server and etcd metric and label that rules and panels use', async () => {
        const { controlPlane, prometheus } = running();
        await removeSeats(controlPlane);
        await createUnreachableWebhooks(controlPlane);
        await readAndWatch(controlPlane);
        await waitFor('the API server to reject a request because no seat is free', async () =>
          (await sendBurst(controlPlane)).includes(429),
        );
        await waitFor('both webhooks to be called', async () => {
          const [passed, rejected] = await callWebhooks(controlPlane, Math.round(performance.now()));
          return passed === 201 && rejected === 500;
        });
        await failOneRequest();
        let missing: string[] = [];
        await waitFor(
          'everything to be scraped',
          async () => {
            missing = [
              ...(await missingMetrics(prometheus, 'kube-apiserver', 'apiserver', kubernetes)),
              ...(await missingMetrics(prometheus, 'etcd', 'etcd', kubernetes)),
              ...(await missingMetrics(prometheus, 'prometheus', 'apiserver', kubernetes)),
            ];
            return missing.length === 0;
          },
          // Gauges of stored objects are polled once a minute.
          { timeout: 100_000, interval: 2000 },
        ).catch(() => undefined);
        expect(missing).toEqual([]);
      }, 300_000);

      test('does not expose metric names that older versions used', async () => {
        const { prometheus } = running();
        const replaced = metricsCatalog
          .filter(({ component }) => component === 'kube-apiserver' || component === 'etcd')
          .flatMap((metric) => (metric.replaces ?? []).filter((name) => name !== nameIn(metric, kubernetes)));
        const exposed: string[] = [];
        for (const name of replaced)
          if ((await prometheus.query(`last_over_time(${name}[10m])`)).length > 0) exposed.push(name);
        expect(exposed.filter((name) => !exposedReplaced.includes(name))).toEqual([]);
      });

      /** Kills etcd during a request, which then fails. */
      async function failOneRequest(): Promise<void> {
        const { controlPlane } = running();
        await controlPlane.part('etcd').kill();
        const status = await controlPlane.client
          .request('GET', '/api/v1/namespaces/default/events', undefined, {
            query: { timeoutSeconds: '2', timeout: '2s' },
          })
          // A server that aborts a request may close the connection without a response.
          .then(
            (response) => response.status,
            () => 504,
          );
        expect(status).toBeGreaterThanOrEqual(500);
        await controlPlane.part('etcd').restart();
        await controlPlane.ready();
      }
    },
  );
}

/** Metrics that are replaced but still exposed beside their successors. */
const exposedReplaced = ['apiserver_storage_objects'];
