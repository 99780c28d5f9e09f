import { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import { abortedError, closedError } from './abort';
import { ApiError } from './api-error';
import { type Clock, errorText } from '../../process';
import { ConnectionPool } from './connection-pool';
import { type ConnectionSettings, type Credential } from '../config/connection-settings';
import { impersonationHeaders } from './impersonation-headers';
import { PendingRequest } from './pending-request';
import { serverRequest } from './server-request';
import { type WireResponse, type WireRequest } from './wire';

/** Options of a transport. */
export interface TransportOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Maximum open connections; further requests wait. */
  readonly maxSockets: number;
}

/** Sends requests to one API server, each with the credential that is valid at that time. */
export class Transport {
  readonly #root: URL;
  readonly #pool: ConnectionPool;
  readonly #pending = new Set<PendingRequest>();
  #closed = false;

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly options: TransportOptions,
  ) {
    this.#root = new URL(settings.server);
    this.#pool = new ConnectionPool(settings, options.clock, options.maxSockets);
  }

  /** `host:port` of the server. */
  get host(): string {
    return this.#root.host;
  }

  /** Sends one request. Resolves for every HTTP status; rejects with an `ApiError` of status 0 if there is no response. */
  async send(wire: WireRequest): Promise<WireResponse> {
    const credential = await this.#credential();
    const response = await this.#sendRetryingStale(wire, credential);
    if (response.status !== 401) return response;
    const renewed = await this.#credential(credential);
    return isSame(renewed, credential) ? response : this.#sendRetryingStale(wire, renewed);
  }

  /** Closes all connections; requests in flight fail. */
  close(): void {
    this.#closed = true;
    for (const pending of this.#pending) pending.fail(closedError());
    this.#pool.close();
  }

  async #credential(rejected?: Credential): Promise<Credential> {
    try {
      return await this.settings.credential(this.options.clock.now(), rejected);
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      throw new ApiError(
        0,
        'Unreachable',
        `failed to get a credential for the API server: ${errorText(cause)}`,
        {},
        { cause },
      );
    }
  }

  async #sendRetryingStale(wire: WireRequest, credential: Credential): Promise<WireResponse> {
    const first = this.#start(wire, credential);
    try {
      return await this.#finish(first);
    } catch (error) {
      if (!wire.repeatable || !first.isStale(error)) throw error;
      this.#pool.closeIdle(); // the server probably closed them too
      return this.#finish(this.#start(wire, credential));
    }
  }

  #start(wire: WireRequest, credential: Credential): PendingRequest {
    if (this.#closed) throw closedError();
    if (wire.signal?.aborted) throw abortedError(wire.signal);
    wire.check?.();
    const pending = new PendingRequest(this.#request(wire, credential), wire, this.options.clock);
    this.#pending.add(pending);
    return pending;
  }

  async #finish(pending: PendingRequest): Promise<WireResponse> {
    try {
      return await pending.response;
    } finally {
      this.#pending.delete(pending);
    }
  }

  #request(wire: WireRequest, credential: Credential): ClientRequest {
    const identity = wire.as ?? this.settings.impersonate;
    const headers: OutgoingHttpHeaders = {
      accept: wire.accept ?? 'application/json',
      'user-agent': this.options.userAgent,
      ...(identity && impersonationHeaders(identity)),
    };
    if (credential.token !== undefined) headers['authorization'] = `Bearer ${credential.token}`;
    if (wire.body !== undefined) {
      headers['content-type'] = wire.contentType ?? 'application/json';
      headers['content-length'] = Buffer.byteLength(wire.body);
    }
    const { method, path } = wire;
    return serverRequest(this.#root, { method, path, headers, agent: this.#pool.agentFor(credential) });
  }
}

const isSame = (a: Credential, b: Credential): boolean =>
  a.token === b.token && a.certificate === b.certificate && a.key === b.key;
