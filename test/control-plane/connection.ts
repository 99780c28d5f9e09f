import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** Address of an API server, and the credentials for it. */
export interface ConnectionOptions {
  readonly url: string;
  /** Bearer token. @default - none; a client certificate authenticates */
  readonly token?: string;
  /** Identity to act as; the bearer of the token must be allowed to impersonate it. @default - the bearer itself */
  readonly impersonated?: ImpersonatedIdentity;
  /** File of the trusted certificates; read at the first request. @default - those of `authority` */
  readonly authorityFile?: string;
  /** Trusted certificates as PEM. @default - those that Node trusts */
  readonly authority?: string;
  /** Expected host name in its certificate. @default - the host of the URL */
  readonly serverName?: string;
  /** Client certificate and key as PEM. @default - none */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/** Identity that a request claims by impersonation. */
export interface ImpersonatedIdentity {
  readonly user: string;
  /** Groups besides system:authenticated. @default - none */
  readonly groups?: readonly string[];
}

/** An HTTP request. */
export interface WireRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly contentType: string;
  /** @default - no body */
  readonly text?: string;
}

/** An HTTP response. */
export interface WireResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
}

/** Maximum number of concurrent requests; others wait. */
const maxSockets = 16;
/** Milliseconds without a byte after which a request fails. */
const idleTimeoutMs = 60_000;

/** Keep-alive HTTPS connections to one API server. */
export class Connection {
  #agent: Agent | undefined;

  constructor(private readonly options: ConnectionOptions) {}

  /** Sends one request. Rejects only if there is no response; every status counts as a response. */
  send(wire: WireRequest): Promise<WireResponse> {
    return new Promise<WireResponse>((resolve, reject) => {
      const body = wire.text === undefined ? undefined : Buffer.from(wire.text);
      const headers: Record<string, string | number | string[]> = { accept: 'application/json' };
      const { token, impersonated } = this.options;
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
      if (impersonated) {
        headers['impersonate-user'] = impersonated.user;
        headers['impersonate-group'] = [...(impersonated.groups ?? [])];
      }
      if (body) Object.assign(headers, { 'content-type': wire.contentType, 'content-length': body.length });
      const agent = this.#openAgent();
      const request = httpsRequest(
        new URL(wire.path, this.options.url),
        { method: wire.method, agent, headers },
        (response) => void readResponse(response).then(resolve, reject),
      );
      request.setTimeout(idleTimeoutMs, () => request.destroy(new Error(`no response within ${idleTimeoutMs} ms`)));
      request.once('error', (cause) => {
        // The server may still have been writing its certificate when it was read.
        if (this.#agent === agent) this.#agent = undefined;
        reject(new Error(`${wire.method} ${wire.path}: no response`, { cause }));
      });
      request.end(body);
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #openAgent(): Agent {
    if (this.#agent) return this.#agent;
    const { authorityFile, authority, identity, serverName } = this.options;
    const ca = authorityFile === undefined ? authority : readFileSync(authorityFile);
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets,
      ...(ca !== undefined && { ca }),
      ...(serverName !== undefined && { servername: serverName }),
      ...identity,
    });
    return this.#agent;
  }
}

async function readResponse(response: IncomingMessage): Promise<WireResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString('utf8'),
    warnings: parseWarnings(response.headersDistinct['warning'] ?? []),
  };
}

/** Parses Warning headers. Kubernetes formats each warning as `299 - "text"`, several in one header or in several. */
function parseWarnings(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1')),
  );
}
