import { explainProblem, manager, ProblemsError } from '../api';
import { type Clock, connect, isApiError, loadDefaultConfig } from '../kube';
import { ConfigMapStore } from './config-map-store';
import { ExternalRequestError } from './fetch-text';
import { runQuotaMonitorOnce } from './run-quota-monitor-once';
import { readMonitorSettings } from './settings';
import { quotaMonitorMetrics, pushMetrics } from './quota-monitor-metrics';

/** Services of the process. */
export interface MonitorProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Writes a log line. */
  readonly write: (line: string) => void;
}

/** Exit codes. */
export const monitorExitCodes = { success: 0, failure: 1, invalidSettings: 2 } as const;

type MonitorExitCode = (typeof monitorExitCodes)[keyof typeof monitorExitCodes];

/** Runs the quota monitor once, from its environment to its exit code; never throws. */
export async function runQuotaMonitor({ environment, clock, write }: MonitorProcess): Promise<MonitorExitCode> {
  const log = (level: string, message: string, facts: object = {}): void =>
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...facts })}\n`);
  const read = readMonitorSettings(environment);
  if ('problems' in read) {
    for (const problem of read.problems)
      log('error', 'invalid environment variable', { problem: explainProblem(problem) });
    return monitorExitCodes.invalidSettings;
  }
  const { namespace, sender, thresholds, pushgateway } = read.settings;
  let close: (() => void) | undefined;
  try {
    const client = connect(loadDefaultConfig(environment), {
      clock,
      userAgent: 'pinion-quota',
      fieldManager: manager,
      rate: { qps: 20, burst: 40 },
    });
    close = () => client.close();
    const store = new ConfigMapStore(client, namespace);
    const now = (): number => clock.now();
    const report = await runQuotaMonitorOnce({ client, store, thresholds, now, ...(sender && { sender }) });
    for (const { id, state, percent } of report.notified) log('info', 'owners notified', { id, state, percent });
    for (const failure of report.failures) log('error', 'project evaluation failed', { failure });
    const pushed = pushgateway ? await push(pushgateway, await quotaMonitorMetrics(report, clock.now())) : undefined;
    if (pushed !== undefined) log('error', 'pushing metrics failed', { reason: pushed });
    const { projects, unlimited } = report;
    log('info', 'run finished', {
      projects,
      notified: report.notified.length,
      failures: report.failures.length,
      unlimited,
    });
    return report.failures.length > 0 || pushed !== undefined ? monitorExitCodes.failure : monitorExitCodes.success;
  } catch (error) {
    log('error', 'run failed', { reason: isKnown(error) ? error.message : String(error) });
    return error instanceof ProblemsError ? monitorExitCodes.invalidSettings : monitorExitCodes.failure;
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
    if (error instanceof ExternalRequestError) return error.message;
    throw error;
  }
}
