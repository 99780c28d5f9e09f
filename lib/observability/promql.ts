/** Scrape jobs of pinion's programs. */
export const pinionJobs = {
  controller: 'pinion-controller',
  submission: 'pinion-submission',
  registrar: 'pinion-registrar',
  apiServerMemory: 'pinion-apiserver-memory',
  clients: 'pinion-clients',
  gateway: 'pinion-gateway',
} as const;

/** Label matchers of scrape jobs, with the job names of kube-prometheus and of pinion. */
export const jobs = {
  apiServer: 'job="apiserver"',
  etcd: 'job=~".*etcd.*"',
  controllerManager: 'job="kube-controller-manager"',
  scheduler: 'job="kube-scheduler"',
  controller: `job="${pinionJobs.controller}"`,
  submission: `job="${pinionJobs.submission}"`,
  apiServerMemory: `job="${pinionJobs.apiServerMemory}"`,
  clients: `job="${pinionJobs.clients}"`,
  gateway: `job="${pinionJobs.gateway}"`,
} as const;

/** Returns the sum of the rates of a counter by labels. */
export const rateBy = (by: string, counter: string, matchers: string, window = '5m'): string =>
  `sum by (${by}) (rate(${counter}{${matchers}}[${window}]))`;

/** Returns a quantile of a histogram by labels. */
export const quantileBy = (quantile: number, by: string, histogram: string, matchers: string, window = '5m'): string =>
  `histogram_quantile(${quantile}, ${rateBy(`${by}, le`, `${histogram}_bucket`, matchers, window)})`;

/** Reads with a latency objective; a watch has none, as it does not end. */
export const reads = 'verb=~"LIST|GET"';

/** Writes. */
export const writes = 'verb=~"POST|PUT|PATCH|DELETE"';

/** Excludes requests that last as long as their client wants. */
export const notLongRunning = 'subresource!~"proxy|attach|log|exec|portforward"';
