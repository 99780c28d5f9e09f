import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** Where an API server is and as whom to talk to it. */
export interface ConnectionOptions {
  readonly url: string;
  /** @default - none; a client certificate says who it is */
  readonly token?: string;
  /** File of the certificates to trust; read at the first request. @default - those of `authority` */
  readonly authorityFile?: string;
  /** The certificates to trust, as PEM. @default - those that Node trusts */
  readonly authority?: string;
  /** Name that its certificate has to have. @default - the host of the URL */
  readonly serverName?: string;
  /** Certificate and key to log in with, as PEM. @default - none */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/** What goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly contentType: string;
  /** @default - no body */
  readonly text?: string;
}

/** What came back over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
}

/** At most so many requests are under way at once; the others wait. */
const maxSockets = 16;
/** Milliseconds without a byte after which a request is given up. */
const silence = 60_000;

/** HTTPS connections to one API server, kept open between requests. */
export class Connection {
  #agent: Agent | undefined;

  constructor(private readonly options: ConnectionOptions) {}

  /** Sends one request. Rejects only where no answer came: every status is an answer. */
  send(wire: WireRequest): Promise<WireAnswer> {
    return new Promise<WireAnswer>((resolve, reject) => {
      const body = wire.text === undefined ? undefined : Buffer.from(wire.text);
      const headers: Record<string, string | number> = { accept: 'application/json' };
      if (this.options.token !== undefined) headers['authorization'] = `Bearer ${this.options.token}`;
      if (body) Object.assign(headers, { 'content-type': wire.contentType, 'content-length': body.length });
      const agent = this.#openAgent();
      const request = httpsRequest(
        new URL(wire.path, this.options.url),
        { method: wire.method, agent, headers },
        (response) => void readAnswer(response).then(resolve, reject),
      );
      request.setTimeout(silence, () => request.destroy(new Error(`no answer within ${silence} ms`)));
      request.once('error', (cause) => {
        // The server may still have been writing its certificate when we read it.
        if (this.#agent === agent) this.#agent = undefined;
        reject(new Error(`${wire.method} ${wire.path}: no answer`, { cause }));
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

async function readAnswer(response: IncomingMessage): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString('utf8'),
    warnings: parseWarnings(response.headersDistinct['warning'] ?? []),
  };
}

/** Kubernetes writes each warning as `299 - "text"`, several in one header or in several. */
function parseWarnings(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1')),
  );
}
