import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { abortedError, closedError, whenAborted } from './abort';
import { ApiError } from './api-error';
import { type Clock } from './clock';
import { whenConnected } from './connected';
import { type ConnectionSettings, type Credential } from './connection-settings';
import { readLines, readText } from './read-answer';

/** What goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** @default - none */
  readonly contentType?: string;
  /** @default - none */
  readonly body?: string;
  /** Milliseconds until the answer must be there whole; where lines are streamed, until it begins. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the server may see it twice without harm: it is sent again when a kept connection proves dead. */
  readonly repeatable: boolean;
  /** Takes the lines of a successful answer as they come, in place of its text; what it throws ends the request. */
  readonly onLine?: (line: string) => void;
  /** Called right before it goes out, each time that it does; what it throws is why it does not. */
  readonly check?: (() => void) | undefined;
  /** Told when the answer begins. */
  readonly onHead?: (status: number) => void;
}

/** What came back over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Empty where lines were streamed. */
  readonly text: string;
}

/** What a transport needs besides the settings. */
export interface TransportOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Connections at once; further requests wait. */
  readonly maxSockets: number;
}

/** Milliseconds after which an idle connection is closed: less than the 90 s after which the API server closes it. */
const idle = 60_000;

/** HTTPS connections to one API server, kept open between requests; a new credential gets new ones. */
export class Transport {
  readonly #root: URL;
  readonly #underWay = new Set<(error: ApiError) => void>();
  readonly #stale = new WeakSet<ApiError>();
  #agent: HttpAgent | undefined;
  #agentFor = '';
  #closed = false;

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly options: TransportOptions,
  ) {
    this.#root = new URL(settings.server);
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
    for (const fail of this.#underWay) fail(closedError());
    this.#agent?.destroy();
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
    try {
      return await this.#sendOnce(wire, credential);
    } catch (error) {
      if (!wire.repeatable || !(error instanceof ApiError) || !this.#stale.has(error)) throw error;
      // The others that idle are most likely as dead.
      for (const sockets of Object.values(this.#agent?.freeSockets ?? {})) {
        for (const socket of [...(sockets ?? [])]) socket.destroy();
      }
      return this.#sendOnce(wire, credential);
    }
  }

  #sendOnce(wire: WireRequest, credential: Credential): Promise<WireAnswer> {
    const { signal, timeout } = wire;
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      if (signal?.aborted) return reject(abortedError(signal));
      wire.check?.();
      const request = this.#begin(wire, credential);
      let verdict: ApiError | undefined;
      const fail = (error: ApiError): void => {
        verdict ??= error;
        request.destroy();
      };
      const late = (): void => fail(unreachable(wire, `no answer within ${timeout} ms`));
      const stopTimer = this.options.clock.after(timeout, late);
      const release = whenAborted(signal, fail);
      const settle = (): void => {
        stopTimer();
        release();
        this.#underWay.delete(fail);
      };
      this.#underWay.add(fail);
      request.once('response', (response) => {
        if (wire.onLine && isSuccess(response)) stopTimer();
        take(wire, response).then(
          (answer) => {
            settle();
            resolve(answer);
          },
          (error: unknown) => {
            settle();
            request.destroy();
            reject(verdict ?? error);
          },
        );
      });
      request.on('error', (cause) => {
        settle();
        const error = verdict ?? unreachable(wire, cause.message, cause);
        if (!verdict && request.reusedSocket) this.#stale.add(error);
        reject(error);
      });
      // A process may be held while it connects: what it was entitled to before, it need not be after.
      whenConnected(request, () => {
        try {
          wire.check?.();
          request.end(wire.body);
        } catch (error) {
          fail(error as ApiError);
        }
      });
    });
  }

  #begin(wire: WireRequest, credential: Credential): ClientRequest {
    const headers: Record<string, string | number | string[]> = {
      accept: 'application/json',
      'user-agent': this.options.userAgent,
      ...impersonation(this.settings),
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
      agent: this.#agentOf(credential),
    });
  }

  /** What a handshake shows and trusts is fixed for a connection, so that a change needs new ones. */
  #agentOf({ certificate, key }: Credential): HttpAgent {
    const { settings, options } = this;
    const pooling = {
      keepAlive: true,
      maxSockets: options.maxSockets,
      maxFreeSockets: options.maxSockets,
      timeout: idle,
    };
    if (this.#root.protocol !== 'https:') return (this.#agent ??= new HttpAgent(pooling));
    const ca = settings.authority?.(options.clock.now());
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
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;
const isSame = (a: Credential, b: Credential): boolean =>
  a.token === b.token && a.certificate === b.certificate && a.key === b.key;

const unreachable = ({ method, path }: WireRequest, what: string, cause?: Error): ApiError =>
  new ApiError(0, 'Unreachable', `${method} ${path}: ${what}`, {}, { cause });

async function take(wire: WireRequest, response: IncomingMessage): Promise<WireAnswer> {
  const status = response.statusCode ?? 0;
  wire.onHead?.(status);
  const broken = (what: string, cause?: Error): ApiError => unreachable(wire, what, cause);
  if (!wire.onLine || !isSuccess(response)) {
    return { status, headers: response.headers, text: await readText(response, broken) };
  }
  await readLines(response, wire.onLine, broken);
  return { status, headers: response.headers, text: '' };
}

function impersonation({ impersonate }: ConnectionSettings): Record<string, string | string[]> {
  if (!impersonate) return {};
  const { user, uid, groups = [], extra = {} } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}
