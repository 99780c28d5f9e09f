import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** State and actions behind the status port. */
export interface StatusSource {
  /** Returns whether the process is live; a restart helps if not. */
  isLive(): boolean;
  /** Returns whether the entry is in its desired state. */
  isSettled(): boolean;
  /** Returns metrics in the Prometheus text format. */
  metrics(): string;
  /** Removes the pod; true if ZooKeeper confirms. */
  withdraw(): Promise<boolean>;
}

/** Returns whether a request comes from the pod itself; any other client of the port could take services down. */
const isLocal = ({ socket }: IncomingMessage): boolean => /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');

/** Serves `/live`, `/ready`, `/metrics`, and to the pod itself `POST /withdraw`. */
export function serveRegistrarStatus(port: number, source: StatusSource): Promise<Server> {
  const server = createServer((request, response) => {
    void respond(request, response, source);
  });
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}

async function respond(request: IncomingMessage, response: ServerResponse, source: StatusSource): Promise<void> {
  const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  switch (`${request.method} ${request.url}`) {
    case 'GET /live':
      return source.isLive() ? send(200, 'ok\n') : send(503, 'the readiness probe of the app hangs\n');
    case 'GET /ready':
      return source.isSettled() ? send(200, 'ok\n') : send(503, 'the entry is not in its desired state\n');
    case 'GET /metrics':
      return send(200, source.metrics(), 'text/plain; version=0.0.4; charset=utf-8');
    case 'POST /withdraw':
      if (!isLocal(request)) return send(403, 'only the pod itself may withdraw\n');
      return (await source.withdraw()) ? send(200, 'withdrawn\n') : send(504, 'not confirmed by ZooKeeper\n');
    default:
      return send(404, 'not found\n');
  }
}
