import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { idempotencyKeyPattern, operations, type Operation, type OperationName } from '../../lib/contract';
import { problemDetailsSchema } from '../../lib/contract/preview-schemas';

/** Token that the server accepts. */
export const token = 'c2VjcmV0.dG9rZW4.bWFya2Vy';

/** A request of an operation, validated against the contract. */
export interface RecordedRequest {
  readonly name: OperationName;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly key: string | undefined;
  readonly lastEventId: string | undefined;
}

/** A response: a value of the contract, a problem of it, raw text, a stream, or a broken connection. */
export type Reply =
  | { readonly value: unknown; readonly more?: Readonly<Record<string, unknown>> }
  | {
      readonly fails: number;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Record<string, string>;
    }
  | { readonly raw: string; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly stream: (response: ServerResponse) => void | Promise<void> }
  | 'break';

/** Response of each operation. */
export type Replies = { readonly [N in OperationName]?: (request: RecordedRequest) => Reply | Promise<Reply> };

/** Returns the replies one after the other, and repeats the last one. */
export const inTurn = (...replies: readonly Reply[]) => {
  let turn = 0;
  return (): Reply => replies[Math.min(turn++, replies.length - 1)] ?? 'break';
};

/** A service on loopback that sends only what the contract allows, except where a test asks for raw text. */
export class ContractServer {
  readonly requests: RecordedRequest[] = [];
  /** Headers of all requests. */
  readonly headers: IncomingMessage['headers'][] = [];
  /** Errors of the test itself. */
  readonly errors: string[] = [];
  replies: Replies = {};
  private server: Server | undefined;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, after a stop on the same port as before. */
  async start(replies?: Replies): Promise<this> {
    if (replies) this.replies = replies;
    const server = createServer((request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        this.errors.push(String(error));
        response.destroy();
      });
    });
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  }

  /** Names of the requested operations, in order. */
  get names(): OperationName[] {
    return this.requests.map(({ name }) => name);
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    if (request.headers.authorization !== `Bearer ${token}`)
      return send(response, failure(401, { title: 'Unauthorized' }));
    const recorded = await recordRequest(request);
    if (!recorded) return send(response, failure(404, { title: 'Not Found' }));
    this.requests.push(recorded);
    const reply = await (this.replies[recorded.name] ?? ((): Reply => ({ fails: 404 })))(recorded);
    if (reply === 'break') response.destroy();
    else if ('raw' in reply) send(response, { ...reply, body: reply.raw });
    else if ('fails' in reply) send(response, failure(reply.fails, reply.details, reply.headers));
    else if ('stream' in reply) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await reply.stream(response);
    } else {
      const { status, schema } = operations[recorded.name].response;
      const body = JSON.stringify({ ...(schema.parse(reply.value) as object), ...reply.more });
      send(response, { status, body });
    }
  }
}

async function recordRequest(request: IncomingMessage): Promise<RecordedRequest | undefined> {
  const url = new URL(request.url ?? '', 'http://service');
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const found = pattern.exec(url.pathname);
    if (!found || request.method?.toLowerCase() !== operation.method) continue;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([member, value]) => [member, decodeURIComponent(value)]),
    );
    operation.params?.parse(params);
    const key = request.headers['idempotency-key'] as string | undefined;
    if (operation.idempotent && !idempotencyKeyPattern.test(key ?? '')) throw new Error(`a key of ${name} is ${key}`);
    const lastEventId = request.headers['last-event-id'] as string | undefined;
    const query = (operation.query?.parse(Object.fromEntries(url.searchParams)) ?? {}) as Record<string, unknown>;
    const body = operation.body?.parse(JSON.parse(await textOf(request)));
    return { name, params, query, body, key, lastEventId };
  }
  return undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function failure(status: number, details: Readonly<Record<string, unknown>> = {}, headers?: Record<string, string>) {
  const body = problemDetailsSchema.parse({ type: 'about:blank', title: 'No', status, ...details });
  return { status, body: JSON.stringify(body), headers: { 'content-type': 'application/problem+json', ...headers } };
}

function send(
  response: ServerResponse,
  { status, body, headers }: { status: number; body: string; headers?: Record<string, string> },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
