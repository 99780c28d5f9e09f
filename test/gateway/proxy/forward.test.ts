import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type ApiCaller } from '../../../lib/gateway/identity/api-caller';
import { forward } from '../../../lib/gateway/proxy/forward';
import { forwardUpgrade } from '../../../lib/gateway/proxy/forward-upgrade';
import { type Upstream } from '../../../lib/gateway/upstream/upstream';
import { ManualClock } from '../../kube/manual-clock';
import { RawApiServer } from './raw-api-server';

const until = async (condition: () => boolean): Promise<void> => {
  const end = Date.now() + 10_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a request that is passed on', () => {
  let apiServer: RawApiServer;
  let upstream: Upstream;
  let gateway: Server;
  let caller: ApiCaller;
  let errors: unknown[];
  let forwarded: Promise<void> | undefined;
  let onWritten: ((body: string) => void) | undefined;
  let sentBack: ServerResponse | undefined;

  beforeEach(async () => {
    caller = { user: 'ann', groups: ['dev'], extra: {} };
    [errors, forwarded, onWritten, sentBack] = [[], undefined, undefined, undefined];
    apiServer = await RawApiServer.start();
    upstream = apiServer.upstream();
    gateway = createServer((request, response) => {
      sentBack = response;
      forwarded = forward(upstream, caller, request, response, onWritten, (error) => errors.push(error));
    });
    gateway.on('upgrade', (request, socket, head) => void forwardUpgrade(upstream, caller, request, socket, head));
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    upstream.close();
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
    await apiServer.stop();
  });

  const address = (): string => `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/a`;
  /** Sends bytes; resolves with those of the answer, once they end or their end has been seen. */
  const send = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
        if (answer.endsWith('ok') || answer.endsWith('0\r\n\r\n')) socket.destroy();
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });
  const body = 'GET /api/v1/secrets HTTP/1.1\r\nhost: x\r\nimpersonate-user: admin\r\n\r\n';
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  /** Returns the requests that an HTTP server reads from the bytes which the API server received. */
  const requestsIn = async (bytes: string): Promise<string[]> => {
    const seen: string[] = [];
    const parser = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume().once('end', () => response.end());
    });
    await new Promise<void>((resolve) => parser.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => {
      const socket = connect((parser.address() as AddressInfo).port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
      socket.on('error', () => undefined).resume();
      socket.once('close', () => resolve());
    });
    parser.closeAllConnections();
    await new Promise((resolve) => parser.close(resolve));
    return seen;
  };

  const listed = `connection: content-length\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  test.each(['DELETE', 'POST', 'PATCH', 'PUT'])('%s with a chunked body stays one request', async (method) => {
    const answer = await send(`${method} /a HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(await requestsIn(apiServer.received)).toEqual([`${method} /a`]);
    expect(apiServer.received).toContain(body);
  });

  test.each(['DELETE', 'POST'])('%s that lists its content-length as hop-by-hop stays one request', async (method) => {
    await send(`${method} /a HTTP/1.1\r\nhost: x\r\n${listed}`);
    expect(await requestsIn(apiServer.received)).toEqual([`${method} /a`]);
    expect(apiServer.received).toContain(body);
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s with a body is refused', async (method) => {
    for (const rest of [`transfer-encoding: chunked\r\n\r\n${chunked}`, listed]) {
      const answer = await send(`${method} /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${rest}`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      if (method !== 'HEAD') expect(answer).toContain('"reason":"BadRequest"');
    }
    expect(apiServer.received).toBe('');
  });

  test('a transfer encoding besides chunked is refused', async () => {
    const head = 'POST /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: gzip, chunked';
    expect(await send(`${head}\r\n\r\n${chunked}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(apiServer.received).toBe('');
  });

  test('the API server learns the address of the client, not what it claims', async () => {
    await send('GET /a HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.0.0.1\r\nforwarded: for=10.0.0.1\r\n\r\n');
    expect(apiServer.received).toContain('x-forwarded-for: 127.0.0.1\r\n');
    expect(apiServer.received).not.toContain('10.0.0.1');
  });

  test.each([
    ['POST', undefined],
    ['DELETE', undefined],
    ['GET', '1'],
  ])('%s whose connection is lost is answered with Retry-After: %s', async (method, retryAfter) => {
    const answer = fetch(address(), { method });
    await until(() => apiServer.received !== '');
    for (const socket of apiServer.sockets) socket.destroy();
    const { status, headers } = await answer;
    expect([status, headers.get('retry-after') ?? undefined]).toEqual([503, retryAfter]);
  });

  test('a request that cannot be sent is to be repeated, whatever its method', async () => {
    await apiServer.stop();
    const { status, headers } = await fetch(address(), { method: 'POST', body: 'a' });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('a request is answered with an error without a credential', async () => {
    const failure = new Error('no credential');
    apiServer.credential = () => Promise.reject(failure);
    const response = await fetch(address(), { method: 'POST', body: 'a' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable' });
    expect(errors).toEqual([failure]);
  });

  test('a request whose client left meanwhile is not sent', async () => {
    let answer = (_: { token: string }): void => undefined;
    apiServer.credential = () => new Promise((resolve) => (answer = resolve));
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write('POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'),
    );
    await until(() => forwarded !== undefined);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer({ token: 'of-the-gateway' });
    await forwarded;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(apiServer.received).toBe('');
  });

  test('a caller that no header can name is refused', async () => {
    caller = { ...caller, user: 'admin ' };
    const response = await fetch(address());
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ reason: 'Forbidden', message: expect.stringContaining('"admin "') });
    expect(apiServer.received).toBe('');
  });

  test('an upgrade announces no body, because none is sent', async () => {
    const head = 'GET /a HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\ncontent-length: 70';
    await send(`${head}\r\n\r\n${body}`);
    expect(apiServer.received).not.toMatch(/content-length: [1-9]/i);
  });

  test.each([
    ['a body that is passed on', 'GET', 64 * 1_024 * 1_024],
    ['a body that is read and passed on', 'POST', 64 * 1_024 * 1_024],
    ['the end of a body', 'POST', 4 * 1_024 * 1_024],
  ])('a client that does not read %s loses its connection after a minute', async (_what, method, size) => {
    await apiServer.stop();
    const headers = `content-type: application/json\r\ncontent-length: ${size}`;
    apiServer = await RawApiServer.start(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${'x'.repeat(size)}`);
    upstream.close();
    const clock = new ManualClock();
    upstream = apiServer.upstream(clock);
    if (method === 'POST') onWritten = () => undefined;
    const client = connect((gateway.address() as AddressInfo).port, '127.0.0.1', () =>
      client.write(`${method} /a HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`),
    );
    client.on('error', () => undefined).pause();
    await until(() => clock.pending > 0);
    await clock.advance(59_000);
    expect(sentBack?.destroyed).toBe(false);
    // The buffers of the connection may take some time until they are full.
    for (let tries = 0; !sentBack?.destroyed && tries < 300; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(60_000);
    }
    expect(sentBack?.destroyed).toBe(true);
    await forwarded;
    client.destroy();
  });

  test('a client that reads late keeps its connection', async () => {
    await apiServer.stop();
    const size = 16 * 1_024 * 1_024;
    apiServer = await RawApiServer.start(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${'x'.repeat(size)}`);
    upstream.close();
    const clock = new ManualClock();
    upstream = apiServer.upstream(clock);
    let bytes = 0;
    const client = connect((gateway.address() as AddressInfo).port, '127.0.0.1', () =>
      client.write('GET /a HTTP/1.1\r\nhost: x\r\n\r\n'),
    );
    client.pause();
    await until(() => clock.pending > 0);
    await clock.advance(59_000);
    client.on('data', (data: Buffer) => (bytes += data.length)).resume();
    await until(() => bytes > size && clock.pending === 0);
    expect({ isWhole: bytes > size, timers: clock.pending }).toEqual({ isWhole: true, timers: 0 });
    client.destroy();
  });
});
