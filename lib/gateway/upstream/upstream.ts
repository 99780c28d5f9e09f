import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type Clock, type ConnectionSettings, ConnectionPool, serverRequest } from '../../kube';

/** Request to the API server. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** With `authorization`, it has no credential of the gateway; without, the gateway's own. */
  readonly headers: OutgoingHttpHeaders;
  /** Whether it has a connection that no other request uses. @default false */
  readonly ownConnection?: boolean;
}

/** The API server, as the gateway reaches it: connections of its own for watches, and for what it passes on. */
export class Upstream {
  readonly #root: URL;
  readonly #pool: ConnectionPool;
  /** Connections without a certificate of the gateway, which would precede the token of a request. */
  readonly #clientPool: ConnectionPool;

  constructor(
    private readonly settings: ConnectionSettings,
    readonly clock: Clock,
  ) {
    this.#root = new URL(settings.server);
    this.#pool = new ConnectionPool(settings, clock, Number.POSITIVE_INFINITY);
    this.#clientPool = new ConnectionPool(settings, clock, Number.POSITIVE_INFINITY);
  }

  /** Creates a request; the caller sends its body and ends it. Rejects if there is no credential. */
  async create({ method, path, headers, ownConnection = false }: UpstreamRequest): Promise<ClientRequest> {
    const isClient = headers['authorization'] !== undefined;
    const credential = isClient ? {} : await this.settings.credential(this.clock.now());
    const shared = isClient ? this.#clientPool : this.#pool;
    const pool = ownConnection ? new ConnectionPool(this.settings, this.clock, 1) : shared;
    return serverRequest(this.#root, {
      method,
      path,
      headers: {
        ...headers,
        ...(credential.token !== undefined && { authorization: `Bearer ${credential.token}` }),
      },
      agent: pool.agentFor(credential),
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#pool.close();
    this.#clientPool.close();
  }
}

/** Resolves with the response of a request, which it ends; rejects if there is none. */
export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}
