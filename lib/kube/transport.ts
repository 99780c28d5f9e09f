import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { abortedError, closedError } from './abort';
import { ApiError } from './api-error';
import { type Clock } from './clock';
import { ConnectionPool } from './connection-pool';
import { type ConnectionSettings, type Credential, type Impersonation } from './connection-settings';
import { Exchange } from './exchange';
import { type WireAnswer, type WireRequest } from './wire';

/** What a transport needs besides the settings. */
export interface TransportOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Connections at once; further requests wait. */
  readonly maxSockets: number;
}

/** Sends requests to one API server, each with the credential that is valid then. */
export class Transport {
  readonly #root: URL;
  readonly #pool: ConnectionPool;
  readonly #underWay = new Set<Exchange>();
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

  /** Sends one request. Rejected with an `ApiError` of status 0 where no answer came: every status is an answer. */
  async send(wire: WireRequest): Promise<WireAnswer> {
    const credential = await this.#credential();
    const answer = await this.#sendTwice(wire, credential);
    if (answer.status !== 401) return answer;
    const renewed = await this.#credential(credential);
    return isSame(renewed, credential) ? answer : this.#sendTwice(wire, renewed);
  }

  /** Closes all connections; what is under way fails. */
  close(): void {
    this.#closed = true;
    for (const exchange of this.#underWay) exchange.fail(closedError());
    this.#pool.close();
  }

  async #credential(refused?: Credential): Promise<Credential> {
    try {
      return await this.settings.credential(this.options.clock.now(), refused);
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new ApiError(0, 'Unreachable', `no credential for the API server: ${said}`, {}, { cause });
    }
  }

  async #sendTwice(wire: WireRequest, credential: Credential): Promise<WireAnswer> {
    const first = this.#begin(wire, credential);
    try {
      return await this.#finish(first);
    } catch (error) {
      if (!wire.repeatable || !first.isStale(error)) throw error;
      this.#pool.closeIdle(); // most likely they are as dead
      return this.#finish(this.#begin(wire, credential));
    }
  }

  #begin(wire: WireRequest, credential: Credential): Exchange {
    if (this.#closed) throw closedError();
    if (wire.signal?.aborted) throw abortedError(wire.signal);
    wire.check?.();
    const exchange = new Exchange(this.#request(wire, credential), wire, this.options.clock);
    this.#underWay.add(exchange);
    return exchange;
  }

  async #finish(exchange: Exchange): Promise<WireAnswer> {
    try {
      return await exchange.answer;
    } finally {
      this.#underWay.delete(exchange);
    }
  }

  #request(wire: WireRequest, credential: Credential): ClientRequest {
    const headers: Record<string, string | number | string[]> = {
      accept: wire.accept ?? 'application/json',
      'user-agent': this.options.userAgent,
      ...impersonation(wire.as ?? this.settings.impersonate),
    };
    if (credential.token !== undefined) headers['authorization'] = `Bearer ${credential.token}`;
    if (wire.body !== undefined) {
      headers['content-type'] = wire.contentType ?? 'application/json';
      headers['content-length'] = Buffer.byteLength(wire.body);
    }
    const send = this.#root.protocol === 'https:' ? httpsRequest : httpRequest;
    return send({
      // An IPv6 address stands in brackets in a URL only.
      host: this.#root.hostname.replace(/^\[|\]$/g, ''),
      port: this.#root.port === '' ? undefined : Number(this.#root.port),
      path: `${this.#root.pathname.replace(/\/$/, '')}${wire.path}`,
      method: wire.method,
      headers,
      agent: this.#pool.agentOf(credential),
    });
  }
}

const isSame = (a: Credential, b: Credential): boolean =>
  a.token === b.token && a.certificate === b.certificate && a.key === b.key;

function impersonation(whom: Impersonation | undefined): Record<string, string | string[]> {
  if (!whom) return {};
  const { user, uid, groups = [], extra = {} } = whom;
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}
