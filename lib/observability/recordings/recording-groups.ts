import { burnRates } from './burn-rate';
import { type MetricsVersion, nameIn } from '../metrics/metric';
import { apiServerMetrics } from '../metrics/api-server-metrics';
import { type RecordingGroup, type RecordingRule } from './recording';
import { jobs, quantileBy, rateBy } from '../promql';

const rule = (record: string, labelNames: readonly string[], expr: string): RecordingRule => ({
  record,
  expr,
  labelNames: ['cluster', ...labelNames],
});

/** Returns a rate by labels, named after them as in kube-prometheus. */
const rate = (counter: string, labelNames: readonly string[], matchers: string = jobs.apiServer): RecordingRule =>
  rule(
    `${labelNames.join('_')}:${counter}:rate5m`,
    labelNames,
    rateBy(['cluster', ...labelNames].join(', '), counter, matchers),
  );

const latency = (verb: string, verbs: string): RecordingRule => {
  const labelNames = ['resource', 'verb', 'scope'];
  const name = 'apiserver_request_sli_duration_seconds';
  return {
    ...rule(
      `cluster_quantile:${name}:histogram_quantile`,
      labelNames,
      `${quantileBy(0.99, ['cluster', ...labelNames].join(', '), name, `${jobs.apiServer},verb=~"${verbs}"`)} > 0`,
    ),
    labels: { quantile: '0.99', kind: verb },
  };
};

const requests: readonly RecordingRule[] = [
  rate('apiserver_request_total', ['resource', 'verb']),
  rate('apiserver_request_total', ['code', 'resource']),
  rate('apiserver_request_total', ['code', 'verb']),
  latency('read', 'LIST|GET'),
  latency('write', 'POST|PUT|PATCH|DELETE'),
];

const seats = (metric: string): string =>
  `sum by (cluster, instance) (${metric}{${jobs.apiServer},priority_level!="exempt"})`;

const flow: readonly RecordingRule[] = [
  rule(
    'instance:apiserver_flowcontrol_seats:ratio',
    ['instance'],
    `${seats('apiserver_flowcontrol_current_executing_seats')} / ${seats('apiserver_flowcontrol_nominal_limit_seats')}`,
  ),
  rate('apiserver_flowcontrol_rejected_requests_total', ['flow_schema', 'priority_level', 'reason']),
];

const lists = (version: MetricsVersion): RecordingRule[] => [
  {
    ...rule(
      'resource:apiserver_list_response_bytes:rate5m',
      ['resource'],
      rateBy('cluster, resource', 'apiserver_response_sizes_sum', `${jobs.apiServer},verb="LIST"`),
    ),
  },
  rate('apiserver_cache_list_fetched_objects_total', ['resource']),
  rate('apiserver_cache_list_returned_objects_total', ['resource']),
  rate('apiserver_storage_list_fetched_objects_total', ['resource']),
  rate('apiserver_watch_events_total', ['resource']),
  rule('resource:etcd_bookmarks:rate5m', ['resource'], rateBy('cluster, resource', bookmarks(version), jobs.apiServer)),
];

function bookmarks(version: MetricsVersion): string {
  const metric = apiServerMetrics.find(({ name }) => name === 'etcd_bookmark_total');
  if (!metric) throw new Error('metric etcd_bookmark_total is missing from the catalog');
  return nameIn(metric, version);
}

const etcd: readonly RecordingRule[] = [
  rule(
    'instance:etcd_database_quota:ratio',
    ['job', 'instance'],
    `last_over_time(etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}[5m]) / (last_over_time(etcd_server_quota_backend_bytes{${jobs.etcd}}[5m]) > 0)`,
  ),
  ...(['10m', '4h'] as const).map((window) =>
    rule(
      `instance:etcd_database_growth_bytes:deriv${window}`,
      ['job', 'instance'],
      `deriv(etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}[${window}])`,
    ),
  ),
  ...(['10m', '4h'] as const).map((window) =>
    rule(
      `instance:etcd_database_seconds_to_quota:deriv${window}`,
      ['job', 'instance'],
      `(etcd_server_quota_backend_bytes{${jobs.etcd}} - etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}) / (deriv(etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}[${window}]) > 0)`,
    ),
  ),
];

const pinion: readonly RecordingRule[] = [
  rate('pinion_reconcile_total', ['kind', 'result'], jobs.controller),
  rule(
    'kind:pinion_reconcile_time_seconds:p99_5m',
    ['kind'],
    quantileBy(0.99, 'cluster, kind', 'pinion_reconcile_time_seconds', jobs.controller),
  ),
  rate('pinion_submission_requests_total', ['operation', 'status'], jobs.submission),
];

/** Returns the recording rules for a Kubernetes version. */
export const recordingGroups = (version: MetricsVersion): readonly RecordingGroup[] => [
  { name: 'kube-apiserver-burnrate.rules', rules: burnRates },
  { name: 'kube-apiserver-requests.rules', rules: requests },
  { name: 'kube-apiserver-flowcontrol.rules', rules: flow },
  { name: 'kube-apiserver-lists.rules', rules: lists(version) },
  { name: 'etcd.rules', rules: etcd },
  { name: 'pinion.rules', rules: pinion },
];
