import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Received requests. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server on loopback that records its requests. */
export interface HttpReceiver {
  readonly url: URL;
  readonly received: Received[];
  close(): Promise<void>;
}

/** Starts a receiver; answers 200 by default. */
export async function startReceiver(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end('{}'),
): Promise<HttpReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString('utf8')));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, authorization: headers.authorization, body });
      answer(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    received,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
