import { type AlertCondition } from '../alerts/alert';
import { type RecordingRule } from './recording';
import { jobs, notLongRunning, reads, writes } from '../promql';

/** Share of requests that may fail or be slow in 30 days. */
const errorBudget = 0.01;

/** Burn rate windows of kube-prometheus: fast burns page, slow burns wait for working hours. */
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
  sumOf(`${duration}_count{${jobs.apiServer},${verbs},${notLongRunning}}`, window);

/** Counts a missing series as zero; `vector(0)` would lose the label `cluster`. */
const orZero = (series: string, verbs: string, window: string): string =>
  `(${sumOf(series, window)} or 0 * ${counted(verbs, window)})`;

/** Requests that finished within a number of seconds. Prometheus versions write the bound as 1 or as 1.0. */
const within = (seconds: number, verbs: string, scope: string, window: string): string =>
  orZero(
    `${duration}_bucket{${jobs.apiServer},${verbs},${notLongRunning}${scope},le=~"${seconds}([.]0)?"}`,
    verbs,
    window,
  );

const failed = (verbs: string, window: string): string =>
  orZero(`apiserver_request_total{${jobs.apiServer},${verbs},code=~"5.."}`, verbs, window);

/** Latency objectives: reads 1 s for one object, 5 s for a namespace, 30 s for the cluster; writes 1 s. */
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

/** Recording rules for the share of requests that failed or were slow, by window. */
export const burnRates: readonly RecordingRule[] = windows.flatMap((window) =>
  (['read', 'write'] as const).map((verb) => ({
    record: `apiserver_request:burnrate${window}`,
    expr: burnRate(verb, window),
    labels: { verb },
    labelNames: ['cluster'],
  })),
);

/** Conditions that hold while both a long and a short window burn the budget, so that alerts fire early and resolve early. */
export const burnConditions: readonly AlertCondition[] = burns.map(
  ({ factor, long, short, for: duration, severity }) => {
    const burning = (window: string): string =>
      `sum by (cluster) (apiserver_request:burnrate${window}) > (${factor} * ${errorBudget})`;
    return {
      severity,
      for: duration,
      labels: { long, short },
      expr: `${burning(long)} and on (cluster) ${burning(short)}`,
    };
  },
);
