import { type CanaryReport } from './canary-report';

/** Job label of the canary's metrics on the Pushgateway. */
const canaryJob = 'pinion-canary';

/**
 * Returns the report in the Prometheus text format. Only kinds and deployment paths that the last run tested are
 * exported: the metrics of others would never change again.
 */
export function canaryMetrics({ runs, successes, failures }: CanaryReport): string {
  const tests = (runs.at(-1)?.cases ?? []).filter(({ state }) => state !== 'skipped');
  const isTested = ([key]: readonly [string, unknown]): boolean =>
    tests.some(({ kind, deploymentPath }) => `${key} `.startsWith(`${kind} ${deploymentPath} `));
  const steps = tests.flatMap(({ kind, deploymentPath, steps: results }) =>
    results
      .filter(({ state }) => state !== 'not-checked')
      .map(({ step, seconds }) => [`${kind} ${deploymentPath} ${step}`, seconds] as const),
  );
  const times = Object.entries(successes).filter(isTested);
  return [
    family(
      'pinion_canary_last_success_timestamp_seconds',
      'gauge',
      'Time of the last successful run through this deployment path.',
      times.map(([key, time]) => [key, Date.parse(time) / 1000] as const),
    ),
    family('pinion_canary_step_duration_seconds', 'gauge', 'Duration of a step in the last run.', steps),
    family('pinion_canary_failures_total', 'counter', 'Failed steps.', Object.entries(failures).filter(isTested)),
  ].join('');
}

const labelNames = ['kind', 'deployment_path', 'step'];

/** Label values are constants of pinion, so they need no escaping. */
function family(name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([key, value]) => {
    const labels = key.split(' ').map((label, index) => `${labelNames[index] ?? ''}="${label}"`);
    return `${name}{${labels.join(',')}} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Pushes metrics to a Pushgateway. Returns the error, without the URL, which may contain a token. */
export async function pushCanary(gateway: URL, text: string, fetcher: typeof fetch): Promise<string | undefined> {
  const url = new URL(gateway);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/metrics/job/${canaryJob}`;
  const headers = { 'content-type': 'text/plain; version=0.0.4' };
  try {
    const signal = AbortSignal.timeout(10_000);
    // PUT replaces all earlier metrics of the job.
    const response = await fetcher(url, { method: 'PUT', headers, body: text, redirect: 'error', signal });
    await response.arrayBuffer();
    return response.ok ? undefined : `the Pushgateway responded with status ${response.status}`;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return `the Pushgateway is unreachable (${typeof code === 'string' ? code : 'unknown reason'})`;
  }
}
