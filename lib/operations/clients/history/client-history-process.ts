import { clientHistory, ConfigMapHistory } from '../../../history';
import { BackOff, type Clock, delay, errorText, type KubeClient } from '../../../kube';
import { type ClientMonitor } from '../client-monitor';
import { ClientHistoryRecorder } from './client-history-recorder';
import { GatewayDeltas } from './gateway-deltas';

/** What the history of a monitor is stored with. */
export interface ClientHistoryProcessOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Namespace of the history. */
  readonly namespace: string;
  /** Name of the API server that sends its events: the same after a restart, and of no other monitor. */
  readonly server: string;
  /** User name of the gateway. */
  readonly gateway: string;
  /** Returns functions that read the metrics of each gateway. @default - none is read */
  readonly gatewayReaders?: () => readonly (() => Promise<string>)[];
  /** Called with what failed; it is tried again. */
  readonly onFailure: (text: string) => void;
}

/** Milliseconds between two reads of the metrics of gateways. */
const gatewayInterval = 15_000;
/** Milliseconds before the first write, and the maximum between two: each rewrites the history of a project, which may have 200 kB. */
const [firstFlush, flushInterval] = [60_000, 3_600_000];

/** Records what a monitor receives, and what gateways report, in the client history. */
export class ClientHistoryProcess {
  readonly recorder: ClientHistoryRecorder;
  private readonly deltas = new GatewayDeltas();
  private readonly backOff: BackOff;
  private readonly stopping = new AbortController();
  private monitor: ClientMonitor | undefined;
  private flushing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ClientHistoryProcessOptions) {
    const { client, clock, namespace, server, gateway } = options;
    this.backOff = new BackOff(clock, { start: firstFlush, cap: flushInterval / 2 });
    this.recorder = new ClientHistoryRecorder({
      writer: new ConfigMapHistory(client, namespace, clientHistory),
      server,
      gateway,
      now: () => clock.now(),
    });
  }

  /** Reads gateways and stores the history of a monitor, until it is stopped. */
  start(monitor: ClientMonitor): void {
    this.monitor = monitor;
    void this.flushUntilStopped(monitor);
    if (this.options.gatewayReaders) void this.readUntilStopped(monitor, this.options.gatewayReaders);
  }

  /** Stores what was counted since the last write, and stops. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.monitor) await this.flush(this.monitor);
  }

  /** The times are random, so that several monitors seldom write the same histories at once. */
  private async flushUntilStopped(monitor: ClientMonitor): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.stopping;
    await delay(clock, firstFlush * (1 + clock.random()), signal);
    while (!signal.aborted) {
      const isStored = await this.flush(monitor);
      if (isStored) this.backOff.reset();
      await delay(clock, isStored ? flushInterval * (1 - clock.random() / 10) : this.backOff.next(), signal);
    }
  }

  /** Stores what was counted, after an earlier write; resolves with false if that failed. */
  private flush({ receiver }: ClientMonitor): Promise<boolean> {
    const flushed = this.flushing.then(async () => {
      try {
        await this.recorder.flush(receiver.findings());
        return true;
      } catch (error) {
        this.options.onFailure(`the client history was not stored: ${errorText(error)}`);
        return false;
      }
    });
    this.flushing = flushed;
    return flushed;
  }

  private async readUntilStopped(
    monitor: ClientMonitor,
    readers: () => readonly (() => Promise<string>)[],
  ): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await Promise.all(readers().map((read) => this.readGateway(monitor, read)));
      await delay(this.options.clock, gatewayInterval, signal);
    }
  }

  private async readGateway({ receiver }: ClientMonitor, read: () => Promise<string>): Promise<void> {
    try {
      const delta = this.deltas.read(await read(), this.options.clock.now());
      if (delta) this.recorder.addGateway(delta, (account, userAgent) => receiver.clientOf(account, userAgent));
    } catch (error) {
      this.options.onFailure(`metrics of a gateway were not read: ${errorText(error)}`);
    }
  }
}
