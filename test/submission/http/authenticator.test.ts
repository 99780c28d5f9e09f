import { request } from 'node:http';
import { ProblemResponse } from '../../../lib/submission/problem-response';
import { startTestServer } from './test-server';
import { deploymentId } from './recording-service';

const validRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };
const json = { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test' };
const session = { ...json, cookie: 'a=b; session=ana-session' };
const body = JSON.stringify(validRequest);

test('anonymous callers can neither read nor change anything', async () => {
  const { url, service } = await startTestServer();
  const requests: readonly (readonly [string, string])[] = [
    ['GET', '/v1/me'],
    ['GET', '/v1/projects'],
    ['GET', '/v1/changes'],
    ['GET', `/v1/deployments/${deploymentId}/events`],
    ['HEAD', '/v1/deployments'],
    ['POST', '/v1/previews'],
    ['POST', '/v1/deployments'],
    ['POST', `/v1/deployments/${deploymentId}/cancel`],
  ];
  for (const [method, path] of requests) {
    const response = await fetch(url + path, { method, ...(method === 'POST' ? { body, headers: json } : {}) });
    expect([path, response.status, response.headers.get('www-authenticate')]).toEqual([
      path,
      401,
      'Bearer realm="pinion"',
    ]);
  }
  expect(service.calls).toEqual([]);
});

test('an invalid token gets its reason in a valid header', async () => {
  const { sendRequest } = await startTestServer();
  const response = await sendRequest('/v1/me', { headers: { authorization: 'Bearer secret-forged' } });
  expect(response.headers.get('www-authenticate')).toBe(
    'Bearer realm="pinion", error="invalid_token", error_description="The token has an  unknown  user."',
  );
  expect(await response.json()).toMatchObject({ status: 401, detail: 'The token has an "unknown" user.' });
});

test('an unavailable token issuer is reported, and an internal error reveals nothing', async () => {
  const identity = {
    recognize: () => undefined,
    authenticate: ({ authorization = '' }) =>
      Promise.reject(
        authorization.includes('away')
          ? new ProblemResponse(503, { title: 'Away', retryAfter: 5 })
          : new Error('secret'),
      ),
  };
  const { sendRequest } = await startTestServer({}, { identity });
  const away = await sendRequest('/v1/me', { headers: { authorization: 'Bearer away' } });
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  const failed = await sendRequest('/v1/me');
  expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')]);
});

test('a session can read from any site that a browser sends it from', async () => {
  const { url } = await startTestServer();
  const response = await fetch(`${url}/v1/me`, { headers: { cookie: session.cookie } });
  expect(await response.json()).toMatchObject({ subject: 'ana' });
});

test.each([
  ['the page itself, current browser', { 'sec-fetch-site': 'same-origin' }, 202],
  ['the page itself, older browser', { origin: 'https://deploy.example.com' }, 202],
  [
    'the page itself, with both headers',
    { 'sec-fetch-site': 'same-origin', origin: 'https://deploy.example.com' },
    202,
  ],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.net' }, 403],
  ['another site with a forged origin', { 'sec-fetch-site': 'cross-site', origin: 'https://deploy.example.com' }, 403],
  ['a sibling of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' }, 403],
  ['another origin, older browser', { origin: 'https://evil.example.net' }, 403],
  ['an opaque origin', { origin: 'null' }, 403],
  ['an unknown origin', {}, 403],
])('a write request with a session from %s: %j gets %i', async (_, headers, status) => {
  const { url, service } = await startTestServer({}, { origin: 'https://deploy.example.com' });
  // Node's fetch sets Sec-Fetch-* itself; only a raw request sends the given headers.
  const response = await postRaw(`${url}/v1/deployments`, { ...session, ...headers });
  expect(response).toBe(status);
  expect(service.names).toEqual(status === 202 ? ['deploy'] : []);
});

test('without a configured origin the service uses the Host header', async () => {
  const { url } = await startTestServer();
  expect(await postRaw(`${url}/v1/deployments`, { ...session, origin: url })).toBe(202);
  expect(await postRaw(`${url}/v1/deployments`, { ...session, origin: 'http://127.0.0.1:1' })).toBe(403);
});

test('a session cannot change anything with a content type that a form can send, even without a body', async () => {
  const { url, service } = await startTestServer();
  const headers = { cookie: session.cookie, origin: url };
  const cancel = `${url}/v1/deployments/${deploymentId}/cancel`;
  expect(await postRaw(cancel, { ...headers, 'content-type': 'text/plain' })).toBe(415);
  expect(await postRaw(cancel, headers, '')).toBe(415);
  expect(await postRaw(cancel, { ...headers, 'content-type': 'application/json' }, '')).toBe(200);
  expect(service.names).toEqual(['cancel']);
});

test('a bearer token needs no origin, because browsers never send one on their own', async () => {
  const { url } = await startTestServer();
  expect(await postRaw(`${url}/v1/deployments`, { ...json, authorization: 'Bearer ana-token' })).toBe(202);
});

/** Returns the status of a POST with exactly these headers. */
function postRaw(url: string, headers: Readonly<Record<string, string>>, text = body): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end(text);
  });
}
