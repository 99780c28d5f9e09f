import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { listen } from '../../process';
import { type AuditEventReceiver, parseAuditEvents } from './audit-lines';

/** Maximum bytes of a batch, and of all batches in flight. */
const limits = { batch: 32 * 1024 * 1024, all: 64 * 1024 * 1024 };
/** Number of rows of `/top`. */
const topRows = 50;

/** What a sink does with events. */
export interface AuditSinkContent {
  readonly receiver: AuditEventReceiver;
  /** Returns metrics in the Prometheus text format. */
  metrics(): string;
  /** Returns the largest rows, for JSON. */
  top(rows: number): unknown;
}

/** Running audit sink. */
export interface AuditSink {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts a receiver of an API server's audit webhook, POST at any path, with bounded memory. `/metrics` serves Prometheus,
 * `/top` the largest rows as JSON, `/healthz` the liveness. It rejects overload with 429, after which the API server retries.
 */
export async function startAuditSink(host: string, port: number, content: AuditSinkContent): Promise<AuditSink> {
  const inFlight = { bytes: 0 };
  const server = createServer((request, response) => {
    if (request.method === 'POST') receive(request, response, content.receiver, inFlight);
    else serve(request.url ?? '', response, content);
  });
  server.requestTimeout = 30_000;
  return listenOn(server, host, port);
}

/** Starts a server of `/metrics` and `/healthz` only, for clients that must neither send events nor read the largest rows. */
export function startAuditStatus(host: string, port: number, content: AuditSinkContent): Promise<AuditSink> {
  const server = createServer(({ url = '', method }, response) => {
    if (method === 'GET' && url !== '/top') serve(url, response, content);
    else response.writeHead(404).end();
  });
  return listenOn(server, host, port);
}

async function listenOn(server: Server, host: string, port: number): Promise<AuditSink> {
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  receiver: AuditEventReceiver,
  inFlight: { bytes: number },
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    inFlight.bytes += chunk.length;
    if (size > limits.batch) reject(request, response, 413, 'maximum batch size is 32 MiB');
    else if (inFlight.bytes > limits.all) reject(request, response, 429, 'too many bytes in flight');
    else chunks.push(chunk);
  });
  request.on('error', () => undefined);
  request.on('end', () => {
    if (response.writableEnded) return;
    parseAuditEvents(Buffer.concat(chunks), receiver);
    response.end();
  });
  request.on('close', () => void (inFlight.bytes -= size));
}

function reject(request: IncomingMessage, response: ServerResponse, code: number, reason: string): void {
  if (response.writableEnded) return;
  response.writeHead(code, { connection: 'close', ...(code === 429 && { 'retry-after': '1' }) });
  response.end(`${reason}\n`, () => request.destroy());
}

function serve(path: string, response: ServerResponse, content: AuditSinkContent): void {
  if (path === '/metrics') response.setHeader('content-type', 'text/plain; version=0.0.4').end(content.metrics());
  else if (path === '/top')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(content.top(topRows)));
  else if (path === '/healthz') response.end('ok\n');
  else response.writeHead(404).end();
}
