import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { type ApiCaller } from '../../../lib/gateway/identity/api-caller';
import { forwardUpgrade } from '../../../lib/gateway/proxy/forward-upgrade';
import { responseOf, Upstream } from '../../../lib/gateway/upstream/upstream';
import { realClock } from '../../kube/real-clock';

const ann = { user: 'ann', groups: ['dev'], extra: {} };
const portOf = (server: Server | TcpServer): number => (server.address() as AddressInfo).port;
const listening = (server: Server | TcpServer): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
const until = async (condition: () => boolean): Promise<void> => {
  const end = Date.now() + 2_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
};
const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n\r\n';

describe('an upgrade that is passed on', () => {
  let caller: ApiCaller;
  let apiServer: TcpServer;
  let gateway: Server;
  let upstream: Upstream;
  /** Serves a connection whose request has come. */
  let onConnection: (socket: Socket) => void;
  let credential: () => Promise<{ token: string }>;
  let received: string;
  let connections: Socket[];
  let errors: unknown[];
  let forwarded: Promise<void> | undefined;

  beforeEach(async () => {
    caller = ann;
    [received, connections, errors, forwarded] = ['', [], [], undefined];
    credential = () => Promise.resolve({ token: 'of-the-gateway' });
    apiServer = createTcpServer({ allowHalfOpen: true }, (socket) => {
      connections.push(socket);
      let isComplete = false;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        if (!isComplete && received.includes('\r\n\r\n')) {
          isComplete = true;
          onConnection(socket);
        }
      });
    });
    await listening(apiServer);
    const settings = { server: `http://127.0.0.1:${portOf(apiServer)}`, namespace: 'default' };
    upstream = new Upstream({ ...settings, credential: () => credential() }, realClock);
    gateway = createServer();
    gateway.on('upgrade', (request, socket, head) => {
      forwarded = forwardUpgrade(upstream, caller, request, socket, head, (error) => errors.push(error));
    });
    await listening(gateway);
  });
  afterEach(async () => {
    upstream.close();
    for (const socket of connections) socket.destroy();
    gateway.closeAllConnections();
    for (const server of [gateway, apiServer]) await new Promise((resolve) => server.close(resolve));
  });

  const head = (more = '', upgrade = 'SPDY/3.1'): string =>
    `POST /exec HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${upgrade}\r\n${more}\r\n`;
  const dial = (bytes: string): Socket =>
    connect({ port: portOf(gateway), host: '127.0.0.1', allowHalfOpen: true }, function (this: Socket) {
      this.write(bytes);
    });
  /** Resolves with all bytes up to the end. */
  const read = async (socket: Socket): Promise<string> => {
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  };

  test.each([
    ['a length', head('content-length: 3\r\n')],
    ['chunks', head('transfer-encoding: chunked\r\n')],
    ['HTTP/2', head('', 'h2c')],
    ['several protocols', head('', 'websocket, h2c')],
  ])('with %s is refused', async (_, bytes) => {
    expect(await read(dial(bytes))).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*"reason":"BadRequest"/);
    expect(received).toBe('');
  });

  test.each(['SPDY/3.1', 'WebSocket'])('to %s exchanges bytes, those that came first too', async (protocol) => {
    onConnection = (socket) => socket.write(`${switching}first`);
    const socket = dial(`${head('content-length: 0\r\n', protocol)}early`);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await until(() => answer.endsWith('first') && received.endsWith('early'));
    socket.destroy();
    expect(answer).toBe(`${switching}first`);
    expect(received).toContain(`upgrade: ${protocol}\r\n`);
    expect(received).not.toMatch(/content-length: [^0]|transfer-encoding/i);
    expect(received).toMatch(/\r\n\r\nearly$/);
  });

  test('of a user has the own token, and neither the credential of the gateway nor an impersonation', async () => {
    caller = { ...ann, token: 'a.b.c' };
    onConnection = (socket) => socket.end(switching);
    const socket = dial(head('authorization: Bearer other\r\n'));
    await until(() => received !== '');
    socket.destroy();
    expect(received).toContain('authorization: Bearer a.b.c\r\n');
    expect(received).not.toMatch(/of-the-gateway|Bearer other|impersonate/i);
  });

  test('has a connection of its own, which closes when it is declined', async () => {
    onConnection = (socket) => socket.write('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
    const pooled = await responseOf(await upstream.create({ method: 'GET', path: '/', headers: {} }));
    for await (const _ of pooled);
    expect(await read(dial(head()))).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*connection: close\r\n\r\nno$/);
    await until(() => connections[1]?.readableEnded === true);
    expect(connections.map(({ readableEnded }) => readableEnded)).toEqual([false, true]);
  });

  test.each(['client', 'API server'])('keeps the bytes in flight when the %s ends its direction', async (first) => {
    const sizes = { client: 0, remote: 0 };
    const data = Buffer.alloc(3_000_000, 'x');
    onConnection = (socket) => {
      socket.on('data', (chunk) => (sizes.remote += chunk.length));
      socket.write(switching);
      if (first === 'API server') socket.end('end');
      else socket.once('end', () => setTimeout(() => socket.end(data), 50));
    };
    const socket = dial(head());
    let hasSent = false;
    socket.on('data', (chunk) => {
      sizes.client += chunk.length;
      if (first === 'client' && !hasSent) socket.end('end');
      hasSent = true;
    });
    if (first === 'API server') socket.once('end', () => setTimeout(() => socket.end(data), 50));
    await new Promise((resolve) => socket.once('close', resolve));
    const size = (): number => (first === 'client' ? sizes.client - switching.length : sizes.remote);
    // The client has sent its last bytes; the gateway may still pass them on.
    await until(() => size() === data.length && connections[0]?.destroyed === true);
    expect([size(), connections[0]?.destroyed]).toEqual([data.length, true]);
  });

  test('is answered with an error without a credential', async () => {
    const failure = new Error('no credential');
    credential = () => Promise.reject(failure);
    expect(await read(dial(head()))).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/);
    expect(errors).toEqual([failure]);
  });

  test('is not to be repeated when the API server closed after it had come', async () => {
    onConnection = (socket) => socket.destroy();
    const answer = await read(dial(head()));
    expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*may have carried out/);
    expect(answer).not.toContain('retry-after');
  });

  test('survives a client that resets its connection meanwhile', async () => {
    let answer = (_: { token: string }): void => undefined;
    credential = () => new Promise((resolve) => (answer = resolve));
    const socket = dial(head());
    await until(() => forwarded !== undefined);
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer({ token: 'of-the-gateway' });
    await forwarded;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toBe('');
  });
});
