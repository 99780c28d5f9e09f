import { textAt } from '../../api';
import {
  BackOff,
  type Clock,
  type ConnectionSettings,
  connect,
  delay,
  errorText,
  isApiError,
  type KubeClient,
  listAllPages,
  type Log,
  whenAborted,
} from '../../kube';
import { startAuditSink, startAuditStatus } from '../audit/audit-sink';
import { ClientMonitor } from './client-monitor';
import { type ClientMonitorArguments } from './client-monitor-arguments';
import { readClusterClients } from './cluster-clients';
import { directNamespacesOf } from './direct-namespaces';
import { readServerFigures } from './server-figures';

/** Milliseconds after which the Platform, Projects and sizes of resources are read again. */
const refreshInterval = 600_000;

/** Process in which the client monitor runs. */
export interface ClientMonitorProcess {
  readonly apiServer: ConnectionSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/**
 * Receives audit events of an API server and serves metrics, until shutdown. It starts without the API server, which
 * starts with it on the same machine: until Projects have been read, no client has one.
 */
export async function runClientMonitor(
  { events, status, gateway }: ClientMonitorArguments,
  { apiServer, clock, log, stop }: ClientMonitorProcess,
): Promise<void> {
  const monitor = new ClientMonitor({ ...(gateway !== undefined && { gateway }) }, clock);
  const sink = await startAuditSink(events.host, events.port, monitor);
  const statusServer = await startAuditStatus(status.host, status.port, monitor).catch(async (error: unknown) => {
    await sink.stop();
    throw error;
  });
  log.info('listening', { port: sink.port, statusPort: statusServer.port });
  const client = connect(apiServer, { clock, userAgent: 'pinion-client-monitor' });
  const refreshing = refreshUntil(stop, { monitor, client, clock, log });
  await whenAborted(stop);
  await refreshing;
  client.close();
  await Promise.all([sink.stop(), statusServer.stop()]);
  log.info('stopped');
}

interface RefreshDeps {
  readonly monitor: ClientMonitor;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads what requests are attributed with, again and again; after a failure, what was read before remains. */
async function refreshUntil(stop: AbortSignal, { monitor, client, clock, log }: RefreshDeps): Promise<void> {
  const backOff = new BackOff(clock);
  while (!stop.aborted) {
    let wait = refreshInterval;
    try {
      const onMissing = (problem: string): void => log.warn('incomplete', { problem });
      const read = await readClusterClients({ client, kube: { isApiError, listAllPages }, onMissing });
      const projects = read.objects.filter((object) => textAt(object, 'kind') === 'Project');
      const { stats } = readServerFigures(read.metrics);
      monitor.receiver.update(projects, stats, directNamespacesOf(read.objects));
      log.info('read', { projects: projects.length, resources: stats.size });
      backOff.reset();
    } catch (error) {
      if (stop.aborted) return;
      log.warn('not read', { error: errorText(error) });
      wait = backOff.next();
    }
    await delay(clock, wait, stop);
  }
}
