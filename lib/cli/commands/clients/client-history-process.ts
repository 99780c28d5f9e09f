import { hostname } from 'node:os';
import { clientHistory, ConfigMapHistory } from '../../../history';
import { ClientHistoryRecorder, type ClientMonitor, GatewayDeltas, installedGateway } from '../../../operations';
import { ExternalRequestError } from '../../../quota';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { delay, errorText } from '../../../process';
import { UnavailableError, type Io } from '../../io/io';
import { readMetrics } from './client-sources';
import { type ClientsOptions } from './clients-options';

/** Milliseconds between two reads of the metrics of gateways. */
const gatewayInterval = 15_000;
/** Milliseconds between two writes: each rewrites the history of a project, which may have 200 kB. */
const flushInterval = 3_600_000;

/** Records what a monitor receives, and what gateways report, in the client history. */
export class ClientHistoryProcess {
  readonly recorder: ClientHistoryRecorder;
  private readonly deltas = new GatewayDeltas();
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    namespace: string,
    private readonly connection: Pick<ClusterConnection, 'client' | 'clock'>,
    private readonly options: ClientsOptions,
    private readonly io: Io,
  ) {
    const { client, clock } = connection;
    this.recorder = new ClientHistoryRecorder({
      writer: new ConfigMapHistory(client, namespace, clientHistory),
      server: options.server ?? hostname(),
      gateway: options.gateway ?? installedGateway,
      now: () => clock.now(),
    });
  }

  /** Reads gateways and stores the history, until the process is stopped, and then once more. */
  start(monitor: ClientMonitor): void {
    this.io.onStop(() => this.flush(monitor));
    void this.repeat(flushInterval, () => this.flush(monitor));
    if (this.options.metrics !== undefined) void this.repeat(gatewayInterval, () => this.readGateways(monitor));
  }

  private async repeat(interval: number, action: () => Promise<void>): Promise<never> {
    for (;;) {
      await action();
      await delay(this.connection.clock, interval);
    }
  }

  /** Stores what was counted, after an earlier write; if that fails, the next one stores it. */
  private flush({ receiver }: ClientMonitor): Promise<void> {
    this.flushing = this.flushing.then(async () => {
      try {
        await this.recorder.flush(receiver.findings());
      } catch (error) {
        this.warn(`the client history was not stored: ${errorText(error)}`);
      }
    });
    return this.flushing;
  }

  private async readGateways({ receiver }: ClientMonitor): Promise<void> {
    for (const source of this.options.metrics ?? [])
      try {
        const text = await readMetrics(source, this.options['token-file'], this.io);
        const delta = this.deltas.read(text, this.connection.clock.now());
        if (delta) this.recorder.addGateway(delta, (account, userAgent) => receiver.clientOf(account, userAgent));
      } catch (error) {
        if (!(error instanceof UnavailableError) && !(error instanceof ExternalRequestError)) throw error;
        this.warn(`metrics of a gateway were not read: ${error.message}`);
      }
  }

  private warn(text: string): void {
    this.io.writeError(`pinion: ${text}\n`);
  }
}
