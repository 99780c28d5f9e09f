import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Clock, delay } from '../../kube';
import { type LogEvent } from '../log-event';
import { type CgroupMemory, findGroup, type KernelPlaces } from './cgroup-memory';
import { dropFiles } from './drop-files';
import { type MemorySettings } from './memory-settings';
import { type MemoryUse, planReclaim } from './plan-reclaim';
import { errorText } from '../../process';

/** What an agent leans on. */
export interface MemoryAgentDeps {
  readonly settings: MemorySettings;
  readonly places: KernelPlaces;
  readonly clock: Clock;
  readonly log: LogEvent;
  /** Raised when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** How an ask for page cache ended. */
type Outcome = 'given' | 'partly' | 'impossible' | 'observed';

/** Looks at the memory of a master's API server, shows it, and near the limit asks for page cache back. */
export class MemoryAgent {
  private use: MemoryUse | undefined;
  private reason = 'no look yet';
  private askedBytes = 0;
  private readonly asks = new Map<Outcome, number>();

  constructor(private readonly parts: MemoryAgentDeps) {}

  /** Looks again and again until it is asked to end; `/metrics` shows what it saw. Gives the port to `onListening`. */
  async run(onListening?: (port: number) => void): Promise<void> {
    const { settings, clock, stop } = this.parts;
    const server = await this.listen();
    onListening?.((server.address() as AddressInfo).port);
    try {
      while (!stop.aborted) {
        if (settings.mode !== 'off') await this.look();
        await delay(clock, settings.interval, stop);
      }
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }

  private async look(): Promise<void> {
    const { settings, places, log } = this.parts;
    try {
      const group = findGroup(settings.group, places);
      this.use = group.read();
      const bytes = planReclaim(this.use, settings.policy);
      if (bytes > 0) await this.ask(group, bytes);
    } catch (error) {
      this.use = undefined;
      const reason = errorText(error);
      if (reason !== this.reason) log('warn', 'the memory cannot be read', { reason });
      this.reason = reason;
      return;
    }
    this.reason = '';
  }

  private async ask(group: CgroupMemory, bytes: number): Promise<void> {
    const { settings, log } = this.parts;
    const before = this.use as MemoryUse;
    const outcome = settings.mode === 'act' ? await this.reclaim(group, bytes) : 'observed';
    this.asks.set(outcome, (this.asks.get(outcome) ?? 0) + 1);
    if (outcome === 'observed' || outcome === 'impossible') {
      log('warn', 'near its limit, and page cache is not asked for', { outcome, bytes, ...before });
      return;
    }
    this.use = group.read();
    this.askedBytes += bytes;
    log('info', 'page cache was asked for', { outcome, bytes, before: before.current, after: this.use.current });
  }

  private async reclaim(group: CgroupMemory, bytes: number): Promise<Outcome> {
    const outcome = group.reclaim(bytes);
    if (outcome !== 'impossible' || this.parts.settings.folders.length === 0) return outcome;
    const before = group.read().current;
    const dropped = await dropFiles(this.parts.settings.folders);
    if (dropped === 0) return 'impossible';
    return before - group.read().current >= bytes ? 'given' : 'partly';
  }

  private listen(): Promise<Server> {
    const { host, port } = this.parts.settings;
    const server = createServer((asked, answer) => {
      if (asked.url === '/metrics') answer.setHeader('content-type', 'text/plain; version=0.0.4').end(this.metrics());
      else if (asked.url === '/healthz') answer.end('ok\n');
      else answer.writeHead(404).end();
    });
    return new Promise((done, fail) => {
      server.once('error', fail);
      server.listen(port, host, () => done(server));
    });
  }

  private metrics(): string {
    const { mode } = this.parts.settings;
    const bytes = this.use
      ? (['anon', 'file', 'inactive', 'current', 'limit'] as const).map(
          (type) => `pinion_apiserver_memory_bytes{type="${type}"} ${this.use?.[type]}\n`,
        )
      : [];
    const asks = (['given', 'partly', 'impossible', 'observed'] as const).map(
      (outcome) => `pinion_apiserver_memory_reclaims_total{outcome="${outcome}"} ${this.asks.get(outcome) ?? 0}\n`,
    );
    return [
      '# HELP pinion_apiserver_memory_bytes Memory of the control group by what it is, and its limit.\n',
      '# TYPE pinion_apiserver_memory_bytes gauge\n',
      ...bytes,
      '# HELP pinion_apiserver_memory_reclaims_total Times that page cache was to be asked for, by what came of it.\n',
      '# TYPE pinion_apiserver_memory_reclaims_total counter\n',
      ...asks,
      '# HELP pinion_apiserver_memory_reclaim_requested_bytes_total Bytes of page cache that were asked for.\n',
      '# TYPE pinion_apiserver_memory_reclaim_requested_bytes_total counter\n',
      `pinion_apiserver_memory_reclaim_requested_bytes_total ${this.askedBytes}\n`,
      '# HELP pinion_apiserver_memory_mode What the agent may do.\n',
      '# TYPE pinion_apiserver_memory_mode gauge\n',
      `pinion_apiserver_memory_mode{mode="${mode}"} 1\n`,
    ].join('');
  }
}
