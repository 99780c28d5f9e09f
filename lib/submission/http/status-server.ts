import { createServer, type Server } from 'node:http';
import { listen } from '../../process';

/** Sources of the status endpoints. */
interface StatusSources {
  /** Returns why the service is not ready; undefined if it is. */
  readonly unready: () => string | undefined;
  /** Returns the metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

/** Serves /livez, /readyz and /metrics on a separate port; port 0 selects a free one. */
export async function startStatusServer(port: number, host: string, sources: StatusSources): Promise<Server> {
  const server = createServer((request, response) => {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
      response.writeHead(status, headers).end(text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, 'method not allowed\n');
    switch (request.url?.split('?', 1)[0]) {
      case '/livez':
        return send(200, 'ok\n');
      case '/readyz': {
        const reason = sources.unready();
        return send(reason === undefined ? 200 : 503, `${reason ?? 'ok'}\n`);
      }
      case '/metrics':
        sources.metrics().then(
          (text) => send(200, text, 'text/plain; version=0.0.4; charset=utf-8'),
          () => send(500, 'cannot collect metrics\n'),
        );
        return;
      default:
        return send(404, 'not found; use /livez, /readyz or /metrics\n');
    }
  });
  server.keepAliveTimeout = 5_000;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  return listen(server, port, host);
}
