import { type Condition } from './alert';
import { type RecordingRule } from './recording';
import { jobs, lasting, reads, writes } from './terms';

/** Share of requests that may fail or be slow in thirty days. */
const errorBudget = 0.01;

/** Windows of burn rates, as kube-prometheus has them: fast ones wake somebody, slow ones wait for the morning. */
const burns = [
  { factor: 14.4, long: '1h', short: '5m', for: '2m', severity: 'critical' },
  { factor: 6, long: '6h', short: '30m', for: '15m', severity: 'critical' },
  { factor: 3, long: '1d', short: '2h', for: '1h', severity: 'warning' },
  { factor: 1, long: '3d', short: '6h', for: '3h', severity: 'warning' },
] as const;

const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;
const duration = 'apiserver_request_sli_duration_seconds';

const sumOf = (series: string, window: string): string => `sum by (cluster) (rate(${series}[${window}]))`;

const counted = (verbs: string, window: string): string =>
  sumOf(`${duration}_count{${jobs.apiServer},${verbs},${lasting}}`, window);

/** What has no series yet counts as none; a bare `vector(0)` would lose the label of the cluster. */
const orNone = (series: string, verbs: string, window: string): string =>
  `(${sumOf(series, window)} or 0 * ${counted(verbs, window)})`;

/** Requests that were answered within this many seconds; bounds are written as 1 or as 1.0, by version of Prometheus. */
const within = (seconds: number, verbs: string, scope: string, window: string): string =>
  orNone(`${duration}_bucket{${jobs.apiServer},${verbs},${lasting}${scope},le=~"${seconds}([.]0)?"}`, verbs, window);

const failed = (verbs: string, window: string): string =>
  orNone(`apiserver_request_total{${jobs.apiServer},${verbs},code=~"5.."}`, verbs, window);

/** Reads are slow after 1 s for one object, 5 s for a namespace, 30 s for a cluster; writes after 1 s. */
function burnRate(verb: 'read' | 'write', window: string): string {
  const verbs = verb === 'read' ? reads : writes;
  const fast =
    verb === 'read'
      ? [
          within(1, verbs, ',scope=~"resource|"', window),
          within(5, verbs, ',scope="namespace"', window),
          within(30, verbs, ',scope="cluster"', window),
        ]
      : [within(1, verbs, '', window)];
  const all = sumOf(`apiserver_request_total{${jobs.apiServer},${verbs}}`, window);
  return `(${counted(verbs, window)} - (${fast.join(' + ')}) + ${failed(verbs, window)}) / ${all}`;
}

/** Share of requests that failed or were slow, by window. */
export const burnRates: readonly RecordingRule[] = windows.flatMap((window) =>
  (['read', 'write'] as const).map((verb) => ({
    record: `apiserver_request:burnrate${window}`,
    expr: burnRate(verb, window),
    labels: { verb },
    keeps: ['cluster'],
  })),
);

/** An alert fires while both the long and the short window burn the budget: it comes soon, and goes once it is over. */
export const burnConditions: readonly Condition[] = burns.map(({ factor, long, short, for: wait, severity }) => {
  const burning = (window: string): string =>
    `sum by (cluster) (apiserver_request:burnrate${window}) > (${factor} * ${errorBudget})`;
  return { severity, for: wait, labels: { long, short }, expr: `${burning(long)} and on (cluster) ${burning(short)}` };
});
