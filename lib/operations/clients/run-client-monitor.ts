import { textAt } from '../../api';
import {
  BackOff,
  type Clock,
  completesWithin,
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
import { ClientHistoryProcess } from './history/client-history-process';
import { GatewayEndpoints } from './history/gateway-endpoints';
import { installedGateway } from './practice-findings';
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

/** Milliseconds within which the history is stored on shutdown, before a pod is killed. */
const lastFlush = 20_000;

/**
 * Receives audit events of an API server, serves metrics and stores the client history, until shutdown. It starts without
 * the API server, which starts with it on the same machine: until Projects have been read, no client has one.
 */
export async function runClientMonitor(
  settings: ClientMonitorArguments,
  { apiServer, clock, log, stop }: ClientMonitorProcess,
): Promise<void> {
  const { events, status, gateway } = settings;
  const client = connect(apiServer, { clock, userAgent: 'pinion-client-monitor' });
  const gateways = gatewaysOf(settings, { client, clock, log });
  const recording = historyOf(settings, { client, clock, log }, gateways);
  const monitor = new ClientMonitor({ ...(gateway !== undefined && { gateway }) }, clock, recording?.recorder);
  try {
    const sink = await startAuditSink(events.host, events.port, monitor);
    const statusServer = await startAuditStatus(status.host, status.port, monitor).catch(async (error: unknown) => {
      await sink.stop();
      throw error;
    });
    log.info('listening', { port: sink.port, statusPort: statusServer.port });
    gateways?.start();
    recording?.start(monitor);
    const refreshing = refreshUntil(stop, { monitor, client, clock, log });
    await whenAborted(stop);
    await refreshing;
    // What is received until then is stored.
    await Promise.all([sink.stop(), statusServer.stop()]);
    if (recording && !(await completesWithin(clock, lastFlush, recording.stop())))
      log.warn('history not stored', { error: `it took more than ${lastFlush / 1000} s` });
  } finally {
    await gateways?.stop();
    client.close();
  }
  log.info('stopped');
}

/** Returns what finds the gateways that are measured; undefined if none is. */
function gatewaysOf(
  { history }: ClientMonitorArguments,
  { client, clock, log }: Omit<RefreshDeps, 'monitor'>,
): GatewayEndpoints | undefined {
  if (!history?.gateways) return undefined;
  const onError = (error: unknown): void => log.warn('gateways not read', { error: errorText(error) });
  return new GatewayEndpoints({ client, clock, service: history.gateways, onError });
}

/** Returns what stores the history; undefined if it is not stored. */
function historyOf(
  { history, gateway = installedGateway }: ClientMonitorArguments,
  { client, clock, log }: Omit<RefreshDeps, 'monitor'>,
  gateways: GatewayEndpoints | undefined,
): ClientHistoryProcess | undefined {
  if (!history) return undefined;
  const { namespace, server } = history;
  return new ClientHistoryProcess({
    ...{ client, clock, namespace, server, gateway },
    ...(gateways && { gatewayReaders: () => gateways.readers() }),
    onFailure: (error) => log.warn('history failed', { error }),
  });
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
