import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Clock, delay } from '../../kube';
import { type LogEvent } from '../log-event';
import { type CgroupMemory, findGroup, type KernelPaths } from './cgroup-memory';
import { dropFiles } from './drop-files';
import { type MemorySettings } from './memory-settings';
import { type MemoryUse, planReclaim } from './plan-reclaim';
import { errorText, listen } from '../../process';

/** Settings and services of an agent. */
export interface MemoryAgentDeps {
  readonly settings: MemorySettings;
  readonly paths: KernelPaths;
  readonly clock: Clock;
  readonly log: LogEvent;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/** Outcome of a reclaim. */
type Outcome = 'complete' | 'partial' | 'unsupported' | 'observed';

/** Monitors and exports the memory of the API server, and reclaims page cache near its limit. */
export class MemoryAgent {
  private use: MemoryUse | undefined;
  private reason = 'not read yet';
  private requestedBytes = 0;
  private readonly outcomes = new Map<Outcome, number>();

  constructor(private readonly deps: MemoryAgentDeps) {}

  /** Monitors until shutdown and serves `/metrics`. Calls `onListening` with the port. */
  async run(onListening?: (port: number) => void): Promise<void> {
    const { settings, clock, stop } = this.deps;
    const server = await this.listen();
    onListening?.((server.address() as AddressInfo).port);
    try {
      while (!stop.aborted) {
        if (settings.mode !== 'off') await this.check();
        await delay(clock, settings.interval, stop);
      }
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }

  private async check(): Promise<void> {
    const { settings, paths, log } = this.deps;
    try {
      const group = findGroup(settings.group, paths);
      this.use = group.read();
      const bytes = planReclaim(this.use, settings.policy);
      if (bytes > 0) await this.reclaimOrWarn(group, bytes);
    } catch (error) {
      this.use = undefined;
      const reason = errorText(error);
      if (reason !== this.reason) log('warn', 'memory is unreadable', { reason });
      this.reason = reason;
      return;
    }
    this.reason = '';
  }

  private async reclaimOrWarn(group: CgroupMemory, bytes: number): Promise<void> {
    const { settings, log } = this.deps;
    const before = this.use as MemoryUse;
    const outcome = settings.mode === 'act' ? await this.reclaim(group, bytes) : 'observed';
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'observed' || outcome === 'unsupported') {
      log('warn', 'memory near its limit, page cache not reclaimed', { outcome, bytes, ...before });
      return;
    }
    this.use = group.read();
    this.requestedBytes += bytes;
    log('info', 'page cache reclaimed', { outcome, bytes, before: before.current, after: this.use.current });
  }

  private async reclaim(group: CgroupMemory, bytes: number): Promise<Outcome> {
    const outcome = group.reclaim(bytes);
    if (outcome !== 'unsupported' || this.deps.settings.folders.length === 0) return outcome;
    const before = group.read().current;
    const dropped = await dropFiles(this.deps.settings.folders);
    if (dropped === 0) return 'unsupported';
    return before - group.read().current >= bytes ? 'complete' : 'partial';
  }

  private listen(): Promise<Server> {
    const { host, port } = this.deps.settings;
    const server = createServer((request, response) => {
      if (request.url === '/metrics')
        response.setHeader('content-type', 'text/plain; version=0.0.4').end(this.metrics());
      else if (request.url === '/healthz') response.end('ok\n');
      else response.writeHead(404).end();
    });
    return listen(server, port, host);
  }

  private metrics(): string {
    const { mode } = this.deps.settings;
    const bytes = this.use
      ? (['anon', 'file', 'inactive', 'current', 'limit'] as const).map(
          (type) => `pinion_apiserver_memory_bytes{type="${type}"} ${this.use?.[type]}\n`,
        )
      : [];
    const reclaims = (['complete', 'partial', 'unsupported', 'observed'] as const).map(
      (outcome) => `pinion_apiserver_memory_reclaims_total{outcome="${outcome}"} ${this.outcomes.get(outcome) ?? 0}\n`,
    );
    return [
      '# HELP pinion_apiserver_memory_bytes Memory of the control group by type, and its limit.\n',
      '# TYPE pinion_apiserver_memory_bytes gauge\n',
      ...bytes,
      '# HELP pinion_apiserver_memory_reclaims_total Page cache reclaims by outcome.\n',
      '# TYPE pinion_apiserver_memory_reclaims_total counter\n',
      ...reclaims,
      '# HELP pinion_apiserver_memory_reclaim_requested_bytes_total Bytes of page cache requested for reclaim.\n',
      '# TYPE pinion_apiserver_memory_reclaim_requested_bytes_total counter\n',
      `pinion_apiserver_memory_reclaim_requested_bytes_total ${this.requestedBytes}\n`,
      '# HELP pinion_apiserver_memory_mode Mode of the agent.\n',
      '# TYPE pinion_apiserver_memory_mode gauge\n',
      `pinion_apiserver_memory_mode{mode="${mode}"} 1\n`,
    ].join('');
  }
}
