import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What the status port tells, and does. */
export interface StatusSource {
  /** Whether the process does its work; a restart helps where not. */
  isLive(): boolean;
  /** Whether the entry is as it should be. */
  isSettled(): boolean;
  /** Text in the format of Prometheus. */
  metrics(): string;
  /** Takes the pod out for good; true where that is confirmed. */
  withdraw(): Promise<boolean>;
}

/** Only the pod itself may take the pod out: whoever could reach the port otherwise could take services down. */
const isFromHere = ({ socket }: IncomingMessage): boolean => /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');

/** Serves `/live`, `/ready`, `/metrics`, and `POST /withdraw` to the pod itself. */
export function serveStatus(port: number, source: StatusSource): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request, response, source);
  });
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, source: StatusSource): Promise<void> {
  const say = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  switch (`${request.method} ${request.url}`) {
    case 'GET /live':
      return source.isLive() ? say(200, 'ok\n') : say(503, 'readiness of the app is no longer asked for\n');
    case 'GET /ready':
      return source.isSettled() ? say(200, 'ok\n') : say(503, 'the entry is not as it should be\n');
    case 'GET /metrics':
      return say(200, source.metrics(), 'text/plain; version=0.0.4; charset=utf-8');
    case 'POST /withdraw':
      if (!isFromHere(request)) return say(403, 'only the pod itself may withdraw\n');
      return (await source.withdraw()) ? say(200, 'withdrawn\n') : say(504, 'not confirmed by ZooKeeper\n');
    default:
      return say(404, 'not found\n');
  }
}
