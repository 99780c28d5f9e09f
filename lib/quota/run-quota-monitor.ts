import { explainProblem, ProblemsError } from '../api';
import { type Clock, connect, isApiError, loadDefaultConfig } from '../kube';
import { ConfigMapStore } from './config-map-store';
import { ExchangeError } from './fetch-text';
import { passOver } from './pass';
import { readMonitorSettings } from './settings';
import { passMetrics, pushMetrics } from './watch-metrics';

/** What the watcher needs of its process. */
export interface WatchProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Writes a line of the log. */
  readonly write: (line: string) => void;
}

/** How the process ends: all was done, something failed, it was set up wrongly. */
export const watchExit = { fine: 0, failed: 1, settings: 2 } as const;

type WatchExit = (typeof watchExit)[keyof typeof watchExit];

/** One pass of the watcher, from its environment to its exit code; throws nothing. */
export async function runQuotaMonitor({ environment, clock, write }: WatchProcess): Promise<WatchExit> {
  const log = (level: string, message: string, facts: object = {}): void =>
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...facts })}\n`);
  const read = readMonitorSettings(environment);
  if ('problems' in read) {
    for (const problem of read.problems) log('error', 'a variable is wrong', { problem: explainProblem(problem) });
    return watchExit.settings;
  }
  const { namespace, sender, thresholds, pushgateway } = read.settings;
  let close: (() => void) | undefined;
  try {
    const client = connect(loadDefaultConfig(environment), {
      clock,
      userAgent: 'pinion-quota',
      rate: { qps: 20, burst: 40 },
    });
    close = () => client.close();
    const store = new ConfigMapStore(client, namespace);
    const now = (): number => clock.now();
    const report = await passOver({ client, store, thresholds, now, ...(sender && { sender }) });
    for (const { id, state, percent } of report.told) log('info', 'the owners were told', { id, state, percent });
    for (const failure of report.failures) log('error', 'a part of the pass failed', { failure });
    const pushed = pushgateway ? await push(pushgateway, await passMetrics(report, clock.now())) : undefined;
    if (pushed !== undefined) log('error', 'metrics could not be pushed', { reason: pushed });
    const { projects, unlimited } = report;
    log('info', 'the pass is over', {
      projects,
      told: report.told.length,
      failures: report.failures.length,
      unlimited,
    });
    return report.failures.length > 0 || pushed !== undefined ? watchExit.failed : watchExit.fine;
  } catch (error) {
    log('error', 'the pass failed', { reason: isKnown(error) ? error.message : String(error) });
    return error instanceof ProblemsError ? watchExit.settings : watchExit.failed;
  } finally {
    close?.();
  }
}

const isKnown = (error: unknown): error is Error => isApiError(error) || error instanceof ProblemsError;

async function push(gateway: URL, text: string): Promise<string | undefined> {
  try {
    await pushMetrics(gateway, text);
    return undefined;
  } catch (error) {
    if (error instanceof ExchangeError) return error.message;
    throw error;
  }
}
