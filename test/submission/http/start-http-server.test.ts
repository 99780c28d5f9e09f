import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { type ExtraRoute } from '../../../lib/submission/http/extra-route';
import { ProblemResponse } from '../../../lib/submission/problem-response';
import { waitFor } from '../../control-plane/wait-for';
import { startTestServer } from './test-server';
import { deployment } from './recording-service';

const validRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };

test('every response has the security headers', async () => {
  const { sendRequest, post, url } = await startTestServer({}, { isBehindTls: true });
  const stream = await sendRequest('/v1/changes');
  const responses = [
    await sendRequest('/v1/me'),
    await fetch(`${url}/v1/me`),
    await sendRequest('/nowhere'),
    await sendRequest('/%ff'),
    await post('/v1/previews', {}),
    await sendRequest('/openapi.json'),
    stream,
  ];
  for (const { headers } of responses) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  }
  await stream.body?.cancel();
});

test('Strict-Transport-Security is sent only behind a TLS proxy', async () => {
  const { sendRequest } = await startTestServer();
  expect((await sendRequest('/v1/me')).headers.has('strict-transport-security')).toBe(false);
});

test('additional routes are served without authentication, and accept changes only from the page itself', async () => {
  const handled: unknown[] = [];
  const route = (method: 'GET' | 'POST', path: string, headers: Record<string, string | string[]>): ExtraRoute => ({
    method,
    path,
    async handle(request) {
      handled.push(request);
      return { status: method === 'GET' ? 200 : 303, headers, body: method === 'GET' ? 'body' : '' };
    },
  });
  const routes = [
    route('GET', '/', { 'content-type': 'text/html; charset=utf-8' }),
    route('GET', '/assets/*', { 'cache-control': 'public, max-age=31536000, immutable' }),
    route('POST', '/auth/logout', { location: '/', 'set-cookie': ['a=; Max-Age=0', 'b=; Max-Age=0'] }),
    {
      ...route('GET', '/gone', {}),
      handle: () => Promise.reject(new ProblemResponse(404, { title: 'Not Found', detail: 'no such file' })),
    },
  ];
  const { url, audit } = await startTestServer({}, { routes });
  const page = await fetch(`${url}/`);
  expect([await page.text(), page.headers.get('content-type')]).toEqual(['body', 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const asset = await fetch(`${url}/assets/a/b.js?v=1`, { headers: { cookie: 'c=d', 'if-none-match': '"x"' } });
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(handled.at(-1)).toEqual({ path: '/assets/a/b.js', query: 'v=1', cookie: 'c=d', ifNoneMatch: '"x"' });
  const logout = (origin: string) =>
    fetch(`${url}/auth/logout`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ a: 'b' }),
      redirect: 'manual',
    });
  expect((await logout('http://evil.example.net')).status).toBe(403);
  const out = await logout(url);
  expect([out.status, out.headers.getSetCookie()]).toEqual([303, ['a=; Max-Age=0', 'b=; Max-Age=0']]);
  expect((await fetch(`${url}/auth/logout`)).headers.get('allow')).toBe('POST');
  expect(await (await fetch(`${url}/gone`)).json()).toMatchObject({ status: 404, detail: 'no such file' });
  expect(audit).toEqual([]);
});

test('the status server has its own port, and the API server serves none of its paths', async () => {
  const { statusUrl, sendRequest, service } = await startTestServer();
  const status = async (path: string, method = 'GET'): Promise<unknown> => {
    const response = await fetch(statusUrl + path, { method });
    return [response.status, await response.text()];
  };
  expect(await status('/livez')).toEqual([200, 'ok\n']);
  expect(await status('/readyz?verbose')).toEqual([200, 'ok\n']);
  service.reason = 'the cluster caches are not synced yet';
  expect(await status('/readyz')).toEqual([503, 'the cluster caches are not synced yet\n']);
  expect(await status('/livez')).toEqual([200, 'ok\n']);
  expect(await status('/metrics')).toEqual([200, expect.stringContaining('pinion_submission_requests_total')]);
  expect(await status('/metrics', 'POST')).toEqual([405, 'method not allowed\n']);
  expect(await status('/v1/me')).toEqual([404, expect.any(String)]);
  for (const path of ['/metrics', '/livez', '/readyz']) expect((await sendRequest(path)).status).toBe(404);
});

test('a stop rejects new requests, ends streams with a retry hint, and waits for active requests', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { sendRequest, post, service, httpServer, statusUrl, url } = await startTestServer({
    deploy: () => finished.then(() => deployment),
  });
  const stream = await sendRequest('/v1/changes');
  const deployed = post('/v1/deployments', validRequest);
  await waitFor('the deployment', async () => service.names.includes('deploy'), { interval: 5 });
  let isStopped = false;
  const stopped = httpServer.stop().then(() => (isStopped = true));
  expect(await stream.text()).toMatch(/retry: \d+\n\n$/);
  expect((await fetch(`${statusUrl}/readyz`)).status).toBe(503);
  await expect(fetch(`${url}/v1/me`)).rejects.toThrow();
  expect(isStopped).toBe(false);
  finish();
  const response = await deployed;
  expect([response.status, response.headers.get('connection')]).toEqual([202, 'close']);
  await stopped;
  await expect(fetch(`${statusUrl}/readyz`)).rejects.toThrow();
});

test('a stop waits a bounded time, and a second one returns the first', async () => {
  const limits = { shutdownTimeoutMs: 100 };
  const { post, service, httpServer } = await startTestServer(
    { deploy: () => new Promise(() => undefined) },
    { limits },
  );
  const rejected = expect(post('/v1/deployments', validRequest)).rejects.toThrow();
  await waitFor('the deployment', async () => service.names.includes('deploy'), { interval: 5 });
  await Promise.all([httpServer.stop(), httpServer.stop()]);
  await rejected;
});

test('a port in use is reported, and no listener is left', async () => {
  const { httpServer } = await startTestServer();
  const second = startTestServer({}, { port: 0, statusPort: httpServer.statusPort, registry: new Registry() });
  await expect(second).rejects.toThrow('EADDRINUSE');
});

test.each([
  ['first byte', '', { headersTimeoutMs: 300 }],
  ['headers', 'GET /v1/me HTTP/1.1\r\nHost: x\r\n', { headersTimeoutMs: 300 }],
  [
    'body',
    'POST /v1/previews HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ana-token\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    { headersTimeoutMs: 300, requestTimeoutMs: 400 },
  ],
])('a client that sends the %s of a request too slowly is disconnected', async (_, text, limits) => {
  const { httpServer } = await startTestServer({}, { limits });
  let received = '';
  const socket = connect(httpServer.port, '127.0.0.1', () => socket.write(text));
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.once('error', () => undefined);
  await waitFor('the connection to be closed', async () => socket.closed, { interval: 20 });
  expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
});

test('connections beyond the limit are closed', async () => {
  const { httpServer } = await startTestServer({}, { limits: { maxConnections: 2 } });
  const sockets = [1, 2, 3].map(() => connect(httpServer.port, '127.0.0.1').once('error', () => undefined));
  await waitFor('one to be closed', async () => sockets.filter(({ closed }) => closed).length === 1, { interval: 10 });
  for (const socket of sockets) socket.destroy();
});
