import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Clock } from './clock';
import { type ConnectionSettings, type Credential } from './connection-settings';

/** Milliseconds after which an idle connection is closed: less than the 90 s after which the API server closes it. */
const idle = 60_000;

/** Connections to one API server, kept open between requests; a new credential gets new ones. */
export class ConnectionPool {
  #agent: HttpAgent | undefined;
  #agentFor = '';

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly clock: Clock,
    /** Connections at once; further requests wait. */
    private readonly maxSockets: number,
  ) {}

  /** What a handshake shows and trusts is fixed for a connection, so that a change needs new ones. */
  agentOf({ certificate, key }: Credential): HttpAgent {
    const { settings, maxSockets } = this;
    const pooling = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: idle };
    if (new URL(settings.server).protocol !== 'https:') return (this.#agent ??= new HttpAgent(pooling));
    const ca = settings.authority?.(this.clock.now());
    const wanted = JSON.stringify([ca, certificate, key]);
    if (this.#agent && this.#agentFor === wanted) return this.#agent;
    this.#agentFor = wanted;
    // The former agent's connections end by themselves: busy ones when done, idle ones when their time is up.
    return (this.#agent = new HttpsAgent({
      ...pooling,
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
      ...(settings.serverName !== undefined && { servername: settings.serverName }),
      rejectUnauthorized: settings.insecure !== true,
    }));
  }

  /** Closes the connections that nobody uses now. */
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
