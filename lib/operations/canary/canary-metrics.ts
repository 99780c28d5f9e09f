import { type CanaryReport } from './canary-report';

/** Name under which the Pushgateway keeps the canary's metrics. */
const canaryJob = 'pinion-canary';

/**
 * What the report says, in the text form of Prometheus: successes and failures of all runs, times of the last one. Only
 * kinds and doors that the last run looked at: of one that was taken away nothing would ever change again.
 */
export function canaryMetrics({ runs, successes, failures }: CanaryReport): string {
  const looks = (runs.at(-1)?.cases ?? []).filter(({ state }) => state !== 'skipped');
  const isLookedAt = ([key]: readonly [string, unknown]): boolean =>
    looks.some(({ kind, door }) => `${key} `.startsWith(`${kind} ${door} `));
  const steps = looks.flatMap(({ kind, door, steps: taken }) =>
    taken
      .filter(({ state }) => state !== 'not-checked')
      .map(({ step, seconds }) => [`${kind} ${door} ${step}`, seconds] as const),
  );
  const times = Object.entries(successes).filter(isLookedAt);
  return [
    family(
      'pinion_canary_last_success_timestamp_seconds',
      'gauge',
      'Time of the last successful run through this deployment path.',
      times.map(([key, time]) => [key, Date.parse(time) / 1000] as const),
    ),
    family('pinion_canary_step_duration_seconds', 'gauge', 'Duration of a step in the last run.', steps),
    family('pinion_canary_failures_total', 'counter', 'Failed steps.', Object.entries(failures).filter(isLookedAt)),
  ].join('');
}

const labelNames = ['kind', 'deployment_path', 'step'];

/** Kinds, doors and steps are words of ours: nothing in them has to be escaped. */
function family(name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([key, value]) => {
    const labels = key.split(' ').map((word, index) => `${labelNames[index] ?? ''}="${word}"`);
    return `${name}{${labels.join(',')}} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Hands metrics to a Pushgateway, where they stay until the next run. Gives why it could not, without its URL, which may hold a token. */
export async function pushCanary(gateway: URL, text: string, ask: typeof fetch): Promise<string | undefined> {
  const url = new URL(gateway);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/metrics/job/${canaryJob}`;
  const headers = { 'content-type': 'text/plain; version=0.0.4' };
  try {
    const signal = AbortSignal.timeout(10_000);
    // PUT replaces all that the job said before: steps of the last run only.
    const answer = await ask(url, { method: 'PUT', headers, body: text, redirect: 'error', signal });
    await answer.arrayBuffer();
    return answer.ok ? undefined : `the Pushgateway answered with status ${answer.status}`;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return `the Pushgateway cannot be reached (${typeof code === 'string' ? code : 'unknown reason'})`;
  }
}
