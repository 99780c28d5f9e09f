import { Gauge, Registry } from 'prom-client';
import { fetchText } from './fetch-text';
import { type QuotaMonitorReport } from './run-quota-monitor-once';

/** Pushgateway job of the quota monitor. */
const pushedJob = 'pinion-quota';

/** Returns the metrics of a run in the Prometheus text format; without the success time if there were failures. */
export async function quotaMonitorMetrics(report: QuotaMonitorReport, now: number): Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  gauge('pinion_quota_last_pass_failures', 'Projects that could not be evaluated in the last run.').set(
    report.failures.length,
  );
  if (report.failures.length === 0)
    gauge('pinion_quota_last_success_timestamp_seconds', 'Time of the last run without failures.').set(now / 1000);
  gauge('pinion_quota_unlimited_namespaces', 'Namespaces without any quota.').set(report.unlimited.length);
  const share = gauge('pinion_quota_used_ratio', 'Highest peak of seven days over the quota.', ['project', 'resource']);
  const left = gauge('pinion_quota_exhaustion_seconds', 'Predicted time until the quota is exhausted.', [
    'project',
    'resource',
  ]);
  for (const [project, outlooks] of report.outlooks)
    for (const [resource, outlook] of outlooks) {
      share.set({ project, resource }, outlook.share);
      if (outlook.daysLeft !== undefined) left.set({ project, resource }, outlook.daysLeft * 86_400);
    }
  return registry.metrics();
}

/** Pushes metrics to a Pushgateway, where they stay until the next run. Throws an `ExternalRequestError`. */
export async function pushMetrics(gateway: URL, text: string): Promise<void> {
  const url = new URL(gateway);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/metrics/job/${pushedJob}`;
  // POST replaces only metrics of the same names: a failed run keeps the time of the last success.
  await fetchText({
    method: 'POST',
    url,
    server: 'the Pushgateway',
    body: text,
    contentType: 'text/plain; version=0.0.4',
    timeout: 10_000,
    maxBytes: 64 * 1024,
  });
}
