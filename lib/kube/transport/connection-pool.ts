import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Clock } from '../../process';
import { type ConnectionSettings, type Credential } from '../config/connection-settings';

/** Milliseconds after which an idle connection is closed: less than the 90 s after which the API server closes it. */
const idleTimeout = 60_000;

/** Pool of keep-alive connections to one API server; a new credential gets new connections. */
export class ConnectionPool {
  #agent: HttpAgent | undefined;
  #agentKey = '';

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly clock: Clock,
    /** Maximum open connections; further requests wait. */
    private readonly maxSockets: number,
  ) {}

  /** Returns the agent for a credential. Certificates are fixed per connection, so changed certificates need a new agent. */
  agentFor({ certificate, key }: Credential): HttpAgent {
    const { settings, maxSockets } = this;
    const pooling = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: idleTimeout };
    if (new URL(settings.server).protocol !== 'https:') return (this.#agent ??= new HttpAgent(pooling));
    const ca = settings.authority?.(this.clock.now());
    const agentKey = JSON.stringify([ca, certificate, key]);
    if (this.#agent && this.#agentKey === agentKey) return this.#agent;
    this.#agentKey = agentKey;
    // Connections of the previous agent close by themselves: busy ones when done, idle ones at their timeout.
    return (this.#agent = new HttpsAgent({
      ...pooling,
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
      ...(settings.serverName !== undefined && { servername: settings.serverName }),
      rejectUnauthorized: settings.insecure !== true,
    }));
  }

  /** Closes idle connections. */
  closeIdle(): void {
    for (const sockets of Object.values(this.#agent?.freeSockets ?? {})) {
      for (const socket of [...(sockets ?? [])]) socket.destroy();
    }
  }

  /** Closes all connections. */
  close(): void {
    this.#agent?.destroy();
  }
}
