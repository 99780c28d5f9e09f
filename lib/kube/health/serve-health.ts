import { createServer, type Server } from 'node:http';
import { listen } from '../../process';

/** Sources of the health server. */
export interface HealthSources {
  /** Returns why the process should be restarted; undefined while it is live. */
  readonly unhealthyReason: () => string | undefined;
  /** Returns why the process cannot do its work yet, such as taking over leadership; undefined if it is ready. */
  readonly notReadyReason: () => string | undefined;
  /** Metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

/** Serves /livez (also as /healthz), /readyz and /metrics on a port; port 0 selects a free one. */
export async function serveHealth(port: number, host: string, sources: HealthSources): Promise<Server> {
  const server = createServer((request, response) => {
    const respond = (status: number, text: string, type = 'text/plain; charset=utf-8') => {
      const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
      response.writeHead(status, headers).end(text);
    };
    const respondHealth = (reason: string | undefined) =>
      respond(reason === undefined ? 200 : 503, `${reason ?? 'ok'}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return respond(405, 'method not allowed\n');
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez' || path === '/healthz') return respondHealth(sources.unhealthyReason());
    if (path === '/readyz') return respondHealth(sources.notReadyReason());
    if (path !== '/metrics') return respond(404, 'not found; use /livez, /readyz or /metrics\n');
    sources.metrics().then(
      (text) => respond(200, text, 'text/plain; version=0.0.4; charset=utf-8'),
      () => respond(500, 'failed to collect metrics\n'),
    );
  });
  server.keepAliveTimeout = 5_000;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  return listen(server, port, host);
}
