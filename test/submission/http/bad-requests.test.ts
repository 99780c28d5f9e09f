import { connect } from 'node:net';
import * as fc from 'fast-check';
import { type ProblemDetails } from '../../../lib/contract';
import { startTestServer, type TestServer } from './test-server';
import { deploymentId } from './recording-service';

const validRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };

/** Returns the problems of a response as `code path`. */
async function problemsOf(response: Response): Promise<readonly string[]> {
  const failure = (await response.json()) as ProblemDetails;
  return (failure.problems ?? []).map(({ code, path }) => `${code} ${path.join('.')}`).sort();
}

test('all problems of a request are reported at once, with path, value, reason and remedy', async () => {
  const { post, service } = await startTestServer();
  const body = { artifact: 'shop-cart', stag: 'prod', breakGlass: 'now' };
  const response = await post('/v1/deployments?dry=1', body, { 'idempotency-key': 'short' });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: expect.any(String),
    problems: [
      { code: 'unknown-field', path: ['query', 'dry'], reason: 'does not exist', remedy: 'remove it' },
      {
        code: 'bad-format',
        path: ['artifact'],
        value: 'shop-cart',
        reason: 'must be project/workflow@version',
        remedy: 'use project/workflow@version, such as "shop/cart@1.4.2"',
      },
      { code: 'required', path: ['stage'], reason: 'is missing', remedy: 'set a string' },
      { code: 'out-of-range', path: ['breakGlass'], reason: 'has fewer than 10 characters', remedy: 'use at least 10' },
      { code: 'unknown-field', path: ['stag'], reason: 'does not exist', remedy: 'did you mean "stage"?' },
      {
        code: 'bad-format',
        path: ['header', 'Idempotency-Key'],
        value: 'short',
        reason: 'must be an idempotency key',
        remedy: expect.stringContaining('8 to 128'),
      },
    ],
  });
  expect(service.calls).toEqual([]);
});

test.each([
  ['/v1/projects?limit=0', 'out-of-range query.limit'],
  ['/v1/projects?limit=1001', 'out-of-range query.limit'],
  ['/v1/projects?limit=', 'wrong-type query.limit'],
  ['/v1/projects?limit=0x10', 'wrong-type query.limit'],
  ['/v1/projects?limit=1e2', 'wrong-type query.limit'],
  ['/v1/projects?limit=5&limit=6', 'wrong-type query.limit'],
  ['/v1/projects?limits=5', 'unknown-field query.limits'],
  [`/v1/projects?after=${'x'.repeat(513)}`, 'out-of-range query.after'],
  ['/v1/me?x', 'unknown-field query.x'],
  ['/v1/projects/Shop/versions', 'bad-format path.project'],
  ['/v1/projects/..%2f..%2fsecrets/versions', 'bad-format path.project'],
  ['/v1/projects/shop/workloads/blue/Pod/cart', 'unsupported-value path.kind'],
  [`/v1/projects/${'a'.repeat(8000)}/versions`, 'out-of-range path.project'],
  ['/v1/deployments/1', 'bad-format path.id'],
])('GET %.60s is rejected with the problem %s', async (path, problem) => {
  const { sendRequest, service } = await startTestServer();
  const response = await sendRequest(path);
  expect([response.status, await problemsOf(response)]).toEqual([400, [problem]]);
  expect(service.calls).toEqual([]);
});

test('a missing idempotency key is reported with its header', async () => {
  const { sendRequest } = await startTestServer();
  const headers = { 'content-type': 'application/json' };
  const response = await sendRequest('/v1/deployments', {
    method: 'POST',
    body: JSON.stringify(validRequest),
    headers,
  });
  expect([response.status, await problemsOf(response)]).toEqual([400, ['required header.Idempotency-Key']]);
});

test.each([
  ['{"artifact": ', 'must be JSON'],
  ['{"artifact": hunter2}', 'must be JSON'],
  [Buffer.from([0x22, 0xff, 0x22]), 'must be UTF-8'],
  ['['.repeat(60_000), 'must be JSON'],
])('an unreadable body gets a message without its content: %.20s', async (body, reason) => {
  const { sendRequest } = await startTestServer();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test' };
  const response = await sendRequest('/v1/deployments', { method: 'POST', body, headers });
  const { problems } = (await response.json()) as ProblemDetails;
  expect(response.status).toBe(400);
  expect(problems).toEqual([{ code: 'parse-error', path: [], reason, remedy: expect.any(String) }]);
});

test.each([
  ['text/plain', {}],
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data; boundary=x', {}],
  ['', {}],
  ['application/json', { 'content-encoding': 'gzip' }],
])('a body of type %j with %j is a 415', async (type, headers) => {
  const { sendRequest, service } = await startTestServer();
  const response = await sendRequest('/v1/previews', {
    method: 'POST',
    body: Buffer.from(JSON.stringify(validRequest)),
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...headers },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    415,
    'application/problem+json; charset=utf-8',
  ]);
  expect(service.calls).toEqual([]);
});

test('a body over 64 kB is a 413, with or without a Content-Length', async () => {
  const { post, sendRequest } = await startTestServer();
  const body = { ...validRequest, breakGlass: 'x'.repeat(70_000) };
  expect((await post('/v1/previews', body)).status).toBe(413);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(JSON.stringify(body)));
      controller.close();
    },
  });
  const init = { method: 'POST', body: chunks, duplex: 'half', headers: { 'content-type': 'application/json' } };
  expect((await sendRequest('/v1/previews', init as RequestInit)).status).toBe(413);
});

test('an unknown path is a 404, and an unsupported method a 405 with the allowed ones', async () => {
  const { sendRequest, post } = await startTestServer();
  for (const path of ['/v1', '/v1/me/', '/v2/me', '/wp-admin.php', '/v1/deployments/x/y/z']) {
    expect([path, (await sendRequest(path)).status, (await post(path, {})).status]).toEqual([path, 404, 404]);
  }
  const allow = async (method: string, path: string): Promise<unknown> => {
    const response = await sendRequest(path, { method });
    return [response.status, response.headers.get('allow')];
  };
  expect(await allow('DELETE', '/v1/deployments')).toEqual([405, 'GET, HEAD, POST']);
  expect(await allow('PUT', `/v1/deployments/${deploymentId}/cancel`)).toEqual([405, 'POST']);
  expect(await allow('OPTIONS', '/v1/changes')).toEqual([405, 'GET']);
  expect(await allow('PROPFIND', '/v1/me')).toEqual([405, 'GET, HEAD']);
});

test('an undecodable path and invalid HTTP are a 400 with the headers of every response', async () => {
  const { sendRequest, httpServer: server } = await startTestServer();
  const response = await sendRequest('/v1/%ff');
  expect([response.status, response.headers.get('x-content-type-options')]).toEqual([400, 'nosniff']);
  const raw = await exchange(server.port, 'GET / HTTP/9\r\n\r\n');
  expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(raw).toContain("content-security-policy: default-src 'none'");
  const large = await exchange(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1\.1 431 /);
});

test('fields with a special meaning in JavaScript are unknown fields like any other', async () => {
  const { sendRequest } = await startTestServer();
  const body = '{"__proto__":{"stage":"prod"},"constructor":1,"artifact":"shop/cart@1.4.2"}';
  const headers = { 'content-type': 'application/json' };
  const response = await sendRequest('/v1/previews', { method: 'POST', body, headers });
  expect(await problemsOf(response)).toEqual([
    'required stage',
    'unknown-field __proto__',
    'unknown-field constructor',
  ]);
});

test('thousands of problems, and values of any length, result in a short response', async () => {
  const { post } = await startTestServer();
  const many = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`f${index}`, index]));
  const text = await (await post('/v1/previews', many)).text();
  expect(text.length).toBeLessThan(20_000);
  const long = await (await post('/v1/previews', { ...validRequest, stage: 'X'.repeat(60_000) })).text();
  expect(long.length).toBeLessThan(1_000);
});

describe('any request', () => {
  let server: TestServer;
  const highRate = { qps: 1e6, burst: 1e6 };

  test('gets a status below 500, with a problem document if it is rejected', async () => {
    server = await startTestServer(
      {},
      { limits: { readRate: highRate, writeRate: highRate, unauthenticatedRate: highRate } },
    );
    const paths = ['/v1/previews', '/v1/deployments', '/v1/rollbacks', '/v1/approvals', '/v1/deployments/0/cancel'];
    const fields = ['artifact', 'stage', 'breakGlass', 'project', 'workflow', 'version', '__proto__', 'toString'];
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()).map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, fc.string(), async (path, text, query) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test' };
        const url = `${path}?${encodeURIComponent(query)}=${encodeURIComponent(query)}`;
        const response = await server.sendRequest(url, { method: 'POST', body: text, headers });
        const failure = (await response.json()) as ProblemDetails;
        expect(response.status).toBe(400);
        expect(failure).toMatchObject({ type: 'about:blank', status: 400, problems: expect.any(Array) });
      }),
      { numRuns: 150 },
    );
    expect(server.errors).toEqual([]);
  }, 60_000);
});

/** Returns the response to raw bytes until the server closes the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.once('close', () => resolve(received));
    socket.once('error', reject);
  });
}
