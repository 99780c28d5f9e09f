import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { parseAuditEvents } from './audit-lines';
import { AuditCounts, type AuditReport } from './audit-counts';
import { AuditMetrics } from './audit-metrics';

/** Maximum bytes of a batch, and of all batches in flight. */
const limits = { batch: 32 * 1024 * 1024, all: 64 * 1024 * 1024 };
/** Number of rows of `/top`. */
const topRows = 50;

/** Running audit sink. */
export interface AuditSink {
  readonly port: number;
  report(limit: number): AuditReport;
  stop(): Promise<void>;
}

/**
 * Starts a receiver of an API server's audit webhook, POST at any path, with bounded memory. `/metrics` serves Prometheus,
 * `/top` the largest rows as JSON, `/healthz` the liveness. It rejects overload with 429, after which the API server retries.
 */
export async function startAuditSink(host: string, port: number): Promise<AuditSink> {
  const counts = new AuditCounts();
  const metrics = new AuditMetrics(counts);
  const inFlight = { bytes: 0 };
  const server = createServer((request, response) => {
    if (request.method === 'POST') receive(request, response, metrics, inFlight);
    else serve(request.url ?? '', response, counts, metrics);
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    report: (limit) => counts.report(limit),
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
  metrics: AuditMetrics,
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
    parseAuditEvents(Buffer.concat(chunks), metrics);
    response.end();
  });
  request.on('close', () => void (inFlight.bytes -= size));
}

function reject(request: IncomingMessage, response: ServerResponse, code: number, reason: string): void {
  if (response.writableEnded) return;
  response.writeHead(code, { connection: 'close', ...(code === 429 && { 'retry-after': '1' }) });
  response.end(`${reason}\n`, () => request.destroy());
}

function serve(path: string, response: ServerResponse, counts: AuditCounts, metrics: AuditMetrics): void {
  if (path === '/metrics') response.setHeader('content-type', 'text/plain; version=0.0.4').end(metrics.text());
  else if (path === '/top')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(counts.report(topRows)));
  else if (path === '/healthz') response.end('ok\n');
  else response.writeHead(404).end();
}
