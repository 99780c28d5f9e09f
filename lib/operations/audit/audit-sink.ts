import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { takeEvents } from './audit-lines';
import { LoadCounts, type LoadReport } from './load-counts';
import { LoadMetrics } from './load-metrics';

/** Bytes of one batch, and of all that are being received, at most. */
const limits = { batch: 32 * 1024 * 1024, all: 64 * 1024 * 1024 };
/** Rows of `/top`. */
const topRows = 50;

/** A running sink. */
export interface AuditSink {
  readonly port: number;
  report(most: number): LoadReport;
  stop(): Promise<void>;
}

/**
 * Takes what an API server's audit webhook sends, at any path by POST, in bounded memory; `/metrics` is for Prometheus,
 * `/top` gives the rows that matter most as JSON, `/healthz` says that it lives. What is too much for now is refused
 * with 429, which the API server takes for a reason to send it again.
 */
export async function startAuditSink(host: string, port: number): Promise<AuditSink> {
  const counts = new LoadCounts();
  const metrics = new LoadMetrics(counts);
  const receiving = { bytes: 0 };
  const server = createServer((asked, answer) => {
    if (asked.method === 'POST') receive(asked, answer, metrics, receiving);
    else show(asked.url ?? '', answer, counts, metrics);
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    report: (most) => counts.report(most),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function receive(
  asked: IncomingMessage,
  answer: ServerResponse,
  metrics: LoadMetrics,
  receiving: { bytes: number },
): void {
  const pieces: Buffer[] = [];
  let size = 0;
  asked.on('data', (piece: Buffer) => {
    size += piece.length;
    receiving.bytes += piece.length;
    if (size > limits.batch) refuse(asked, answer, 413, 'one batch may have 32 MiB');
    else if (receiving.bytes > limits.all) refuse(asked, answer, 429, 'too much at once');
    else pieces.push(piece);
  });
  asked.on('error', () => undefined);
  asked.on('end', () => {
    if (answer.writableEnded) return;
    takeEvents(Buffer.concat(pieces), metrics);
    answer.end();
  });
  asked.on('close', () => void (receiving.bytes -= size));
}

function refuse(asked: IncomingMessage, answer: ServerResponse, code: number, reason: string): void {
  if (answer.writableEnded) return;
  answer.writeHead(code, { connection: 'close', ...(code === 429 && { 'retry-after': '1' }) });
  answer.end(`${reason}\n`, () => asked.destroy());
}

function show(path: string, answer: ServerResponse, counts: LoadCounts, metrics: LoadMetrics): void {
  if (path === '/metrics') answer.setHeader('content-type', 'text/plain; version=0.0.4').end(metrics.text());
  else if (path === '/top')
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(counts.report(topRows)));
  else if (path === '/healthz') answer.end('ok\n');
  else answer.writeHead(404).end();
}
