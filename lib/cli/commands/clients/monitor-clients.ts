import { hostname } from 'node:os';
import {
  type ClientAccountingOptions,
  ClientHistoryProcess,
  ClientMonitor,
  installedGateway,
  startAuditSink,
} from '../../../operations';
import { type ExitCode } from '../../command/exit-codes';
import { type ListenAddress } from '../../command/listen-address';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { withConnection } from '../../cluster/cluster-connection';
import { readClientSources, readMetrics } from './client-sources';
import { type ClientsOptions } from './clients-options';

/** Milliseconds after which the Platform, Projects and sizes of resources are read again. */
const refreshInterval = 600_000;

/** Receives audit webhook events and serves metrics, until the process is stopped; keeps the client history if it has a namespace. */
export async function monitorClients(
  address: ListenAddress,
  accountingOptions: ClientAccountingOptions,
  options: ClientsOptions,
  io: Io,
): Promise<ExitCode> {
  const { history } = options;
  if (history === undefined) return receiveEvents(address, accountingOptions, options, io);
  return withConnection(options, io, ({ client, clock }) => {
    const recording = new ClientHistoryProcess({
      client,
      clock,
      namespace: history,
      server: options.server ?? hostname(),
      gateway: options.gateway ?? installedGateway,
      gatewayReaders: () =>
        (options.metrics ?? []).map((source) => () => readMetrics(source, options['token-file'], io)),
      onFailure: (text) => io.writeError(`pinion: ${text}\n`),
    });
    io.onStop(() => recording.stop());
    return receiveEvents(address, accountingOptions, options, io, recording);
  });
}

async function receiveEvents(
  { host, port, text }: ListenAddress,
  accountingOptions: ClientAccountingOptions,
  options: ClientsOptions,
  io: Io,
  recording?: ClientHistoryProcess,
): Promise<never> {
  const clock = io.system?.clock;
  if (!clock) throw new UnavailableError('cannot listen from here');
  const monitor = new ClientMonitor(accountingOptions, clock, recording?.recorder);
  const sink = await startAuditSink(host, port, monitor).catch((error: unknown) => {
    throw new UnavailableError(`${text} ${reasonOf(error)}`);
  });
  recording?.start(monitor);
  io.writeError(`listening on ${host}:${sink.port}\n`);
  for (;;) {
    // Runs until a signal.
    await new Promise<void>((next) => void clock.after(refreshInterval, next));
    await refresh(monitor, options, io);
  }
}

/** Reads the Platform, Projects and sizes again; if that fails, the earlier ones remain. */
async function refresh(monitor: ClientMonitor, options: ClientsOptions, io: Io): Promise<void> {
  try {
    const sources = await readClientSources(options, io);
    if (typeof sources === 'number') return;
    const { projects, figures, directNamespaces } = sources;
    monitor.receiver.update(projects, figures.stats, directNamespaces);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    io.writeError(`pinion: Projects and metrics were not read again: ${error.message}\n`);
  }
}
