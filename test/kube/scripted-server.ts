import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';

/** A received request, including its body. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to a request; the number counts all requests from 0. */
export type Script = (request: SeenRequest, response: ServerResponse, number: number, message: IncomingMessage) => void;

/** A real server on the loopback address with scripted faults, which the API server shows only rarely. */
export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Number of opened connections. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a server; with TLS options, over HTTPS. */
export async function startServer(script: Script, tls?: ServerOptions): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(request);
      script(request, response, seen.length - 1, message);
    });
  };
  const server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Sends a Status object, as the API server does for failures. */
export function sendStatus(
  response: ServerResponse,
  code: number,
  reason: string,
  headers: Record<string, string> = {},
  message = `rejected: ${reason}`,
): void {
  sendJson(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers);
}
