import {
  catalogue,
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
  askWebhooks,
  crowd,
  makeWebhooksDeaf,
  ordinary,
  readAndWatch,
  seatless,
  takeSeatsAway,
} from './provoked-metrics';
import { describeScraped } from './scraped-control-plane';

/** Metrics that cannot be had from a control plane of the tests, each with the reason. */
const notHere: Readonly<Record<string, string>> = {
  apiserver_terminated_watchers_total:
    'a watcher would have to read slower than the server writes until its buffers are full',
  workqueue_retries_total: 'a pass would have to fail',
  pinion_watch_idle_timeouts_total: 'a connection would have to be swallowed for minutes',
  pinion_undecodable_objects_total: 'the API server stores no object that cannot be read',
};

/** Labels of its own that rules and panels use of a metric. */
function usedLabels(metric: Metric, version: MetricsVersion): string[] {
  const name = nameIn(metric, version);
  const own = metric.type === 'histogram' ? [...metric.labels, 'le'] : metric.labels;
  const expressions = [
    ...ruleFile({ kubernetes: version }).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboards().flatMap((each) => each.expressions),
  ];
  const used = expressions.flatMap((expression) => {
    const { selectors, groupings } = namesIn(expression);
    const mine = selectors.filter(
      ({ metric: each }) => each.replace(/_(bucket|sum|count)$/, '') === name || each === name,
    );
    return mine.length === 0 ? [] : [...mine.flatMap(({ labels }) => labels), ...groupings];
  });
  return [...new Set(used)].filter((label) => own.includes(label));
}

/** What a Prometheus lacks of the metrics of a component: names, or labels of them. */
export async function lacking(
  prometheus: PrometheusServer,
  component: Component,
  job: string,
  version: MetricsVersion,
): Promise<string[]> {
  const lacks: string[] = [];
  for (const metric of catalogue) {
    if (metric.component !== component || metric.name in notHere) continue;
    const name = nameIn(metric, version);
    const shown = metric.type === 'histogram' ? `${name}_bucket` : name;
    const series = await prometheus.query(`last_over_time(${shown}{job="${job}"}[10m])`);
    const labels = new Set(series.flatMap((each) => Object.keys(each.labels)));
    if (series.length === 0) lacks.push(shown);
    else
      lacks.push(
        ...usedLabels(metric, version)
          .filter((label) => !labels.has(label))
          .map((label) => `${shown}{${label}}`),
      );
  }
  return lacks;
}

/** The suite that holds the catalogue against a control plane of a version. */
export function describeCatalogue(kubernetes: MetricsVersion): void {
  describeScraped(
    `the catalogue of metrics and Kubernetes ${kubernetes}`,
    { kubernetes, users: [seatless, ordinary] },
    (running) => {
      test('every metric of the API server and of etcd that a rule or a panel names is scraped, with the labels used', async () => {
        const { controlPlane, prometheus } = running();
        await takeSeatsAway(controlPlane);
        await makeWebhooksDeaf(controlPlane);
        await readAndWatch(controlPlane);
        await waitFor('the API server to refuse for want of a seat', async () =>
          (await crowd(controlPlane)).includes(429),
        );
        await waitFor('both webhooks to be called', async () => {
          const [passed, refused] = await askWebhooks(controlPlane, Math.round(performance.now()));
          return passed === 201 && refused === 500;
        });
        await failOnce();
        let lacks: string[] = [];
        await waitFor(
          'everything to be scraped',
          async () => {
            lacks = [
              ...(await lacking(prometheus, 'kube-apiserver', 'apiserver', kubernetes)),
              ...(await lacking(prometheus, 'etcd', 'etcd', kubernetes)),
              ...(await lacking(prometheus, 'prometheus', 'apiserver', kubernetes)),
            ];
            return lacks.length === 0;
          },
          // Gauges of stored objects are polled once a minute.
          { timeout: 100_000, interval: 2000 },
        ).catch(() => undefined);
        expect(lacks).toEqual([]);
      }, 300_000);

      test('names that an older version had are shown no more', async () => {
        const { prometheus } = running();
        const gone = catalogue
          .filter(({ component }) => component === 'kube-apiserver' || component === 'etcd')
          .flatMap((metric) => (metric.replaces ?? []).filter((name) => name !== nameIn(metric, kubernetes)));
        const still: string[] = [];
        for (const name of gone)
          if ((await prometheus.query(`last_over_time(${name}[10m])`)).length > 0) still.push(name);
        expect(still.filter((name) => !stillShown.includes(name))).toEqual([]);
      });

      /** etcd dies under a request, which fails in the end. */
      async function failOnce(): Promise<void> {
        const { controlPlane } = running();
        await controlPlane.part('etcd').kill();
        const status = await controlPlane.client
          .request('GET', '/api/v1/namespaces/default/events', undefined, {
            query: { timeoutSeconds: '2', timeout: '2s' },
          })
          // A server that gives a request up may end the connection instead of an answer.
          .then(
            (answer) => answer.status,
            () => 504,
          );
        expect(status).toBeGreaterThanOrEqual(500);
        await controlPlane.part('etcd').restart();
        await controlPlane.ready();
      }
    },
  );
}

/** Replaced, and shown beside their successors as yet. */
const stillShown = ['apiserver_storage_objects'];
