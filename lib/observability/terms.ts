/** Names of the jobs of pinion's own programs. */
export const ownJobs = {
  controller: 'pinion-controller',
  submission: 'pinion-submission',
  registrar: 'pinion-registrar',
  masterMemory: 'pinion-master-memory',
} as const;

/** Which targets a rule is about, as matchers: the names of jobs are those of kube-prometheus, and pinion's own. */
export const jobs = {
  apiServer: 'job="apiserver"',
  etcd: 'job=~".*etcd.*"',
  controllerManager: 'job="kube-controller-manager"',
  scheduler: 'job="kube-scheduler"',
  controller: `job="${ownJobs.controller}"`,
  submission: `job="${ownJobs.submission}"`,
  masterMemory: `job="${ownJobs.masterMemory}"`,
} as const;

/** Sum of the rates of a counter by labels. */
export const rateBy = (by: string, counter: string, matchers: string, window = '5m'): string =>
  `sum by (${by}) (rate(${counter}{${matchers}}[${window}]))`;

/** A quantile of a histogram by labels. */
export const quantileBy = (quantile: number, by: string, histogram: string, matchers: string, window = '5m'): string =>
  `histogram_quantile(${quantile}, ${rateBy(`${by}, le`, `${histogram}_bucket`, matchers, window)})`;

/** Reads that are judged by their own objective; a watch has no end to wait for. */
export const reads = 'verb=~"LIST|GET"';

/** Requests that write. */
export const writes = 'verb=~"POST|PUT|PATCH|DELETE"';

/** Requests that last as long as somebody wants them to. */
export const lasting = 'subresource!~"proxy|attach|log|exec|portforward"';
