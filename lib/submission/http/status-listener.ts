import { createServer, type Server } from 'node:http';

/** What the status listener tells. */
interface StatusSources {
  /** Why the service cannot serve now; undefined where it can. */
  readonly unready: () => string | undefined;
  /** Metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

/** Serves /livez, /readyz and /metrics on a port of their own; port 0 takes a free one. */
export async function serveStatus(port: number, host: string, sources: StatusSources): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
      response.writeHead(status, headers).end(text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'read only\n');
    switch (request.url?.split('?', 1)[0]) {
      case '/livez':
        return answer(200, 'ok\n');
      case '/readyz': {
        const reason = sources.unready();
        return answer(reason === undefined ? 200 : 503, `${reason ?? 'ok'}\n`);
      }
      case '/metrics':
        sources.metrics().then(
          (text) => answer(200, text, 'text/plain; version=0.0.4; charset=utf-8'),
          () => answer(500, 'metrics could not be written\n'),
        );
        return;
      default:
        return answer(404, 'there are /livez, /readyz and /metrics\n');
    }
  });
  server.keepAliveTimeout = 5_000;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
