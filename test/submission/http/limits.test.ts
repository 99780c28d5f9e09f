import { waitFor } from '../../control-plane/wait-for';
import { type Credentials } from '../../../lib/submission/authenticator';
import { callerNamed } from './known-names';
import { realClock, startTestServer } from './test-server';
import { deployment, deploymentId } from './recording-service';

const validRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };

/** A clock that stops between explicit advances; timers are real. */
function stoppedClock() {
  let now = 1_000_000;
  return { clock: { ...realClock, now: () => now }, advance: (milliseconds: number) => (now += milliseconds) };
}
const statusesOf = async (count: number, ask: () => Promise<Response>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await ask()).status);
  return statuses;
};

test('each caller has a rate for reads and one for writes, and gets a Retry-After', async () => {
  const { clock, advance } = stoppedClock();
  const limits = { readRate: { qps: 2, burst: 3 }, writeRate: { qps: 0.5, burst: 1 } };
  const { sendRequest, post, service } = await startTestServer({}, { clock, limits });
  expect(await statusesOf(4, () => sendRequest('/v1/projects'))).toEqual([200, 200, 200, 429]);
  expect(await statusesOf(2, () => post('/v1/previews', validRequest))).toEqual([200, 429]);
  const rejected = await post('/v1/deployments', validRequest);
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '2']);
  const other = { headers: { authorization: 'Bearer bob-token' } };
  expect(await statusesOf(1, () => sendRequest('/v1/projects', other))).toEqual([200]);
  advance(500);
  expect(await statusesOf(2, () => sendRequest('/v1/projects'))).toEqual([200, 429]);
  expect(service.names).not.toContain('deploy');
});

test('an address has a rate for unauthenticated requests, which authenticated callers do not use up', async () => {
  const { clock } = stoppedClock();
  const { sendRequest, url } = await startTestServer(
    {},
    { clock, limits: { unauthenticatedRate: { qps: 1, burst: 3 } } },
  );
  expect(await statusesOf(6, () => sendRequest('/v1/me'))).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await statusesOf(5, () => fetch(`${url}/v1/me`))).toEqual([401, 401, 401, 429, 429]);
  expect(await statusesOf(1, () => fetch(`${url}/nowhere`))).toEqual([429]);
});

test.each([
  ['without credentials', {}],
  ['with forged tokens', { authorization: 'Bearer forged' }],
])(
  'a flood of unauthenticated clients %s costs members behind the same address nothing',
  async (_, headers: object) => {
    const { clock } = stoppedClock();
    const { sendRequest, url } = await startTestServer(
      {},
      { clock, limits: { unauthenticatedRate: { qps: 1, burst: 3 } } },
    );
    const stranger = (path: string) => fetch(url + path, { headers: { ...headers } });
    expect(await statusesOf(6, () => stranger('/v1/me'))).toEqual([401, 401, 401, 429, 429, 429]);
    expect(await statusesOf(2, () => stranger('/openapi.json'))).toEqual([429, 429]);
    expect(await statusesOf(4, () => sendRequest('/v1/me'))).toEqual([200, 200, 200, 200]);
    expect((await sendRequest('/openapi.json')).status).toBe(200);
    expect((await fetch(`${url}/v1/me`, { headers: { cookie: 'session=ana-session' } })).status).toBe(200);
  },
);

test('verifications that do not finish delay no caller who is known already', async () => {
  const identity = {
    recognize: ({ authorization }: Credentials) =>
      authorization === 'Bearer ana-token' ? ({ caller: callerNamed('ana'), by: 'bearer' } as const) : undefined,
    authenticate: () => new Promise<never>(() => undefined),
  };
  const limits = { maxInFlight: 2, maxInFlightUnauthenticated: 4, responseTimeoutMs: 2_000 };
  const { sendRequest, url } = await startTestServer({}, { identity, limits });
  const unfinished = [1, 2].map((index) =>
    fetch(`${url}/v1/me`, { headers: { authorization: `Bearer unknown-${index}` } }),
  );
  await waitFor('the bound per address', async () => (await fetch(`${url}/v1/me`)).status === 503, { interval: 5 });
  expect(await statusesOf(4, () => sendRequest('/v1/me'))).toEqual([200, 200, 200, 200]);
  expect((await Promise.all(unfinished)).map(({ status }) => status)).toEqual([503, 503]);
});

test('the address comes from a trusted proxy only', async () => {
  const { clock } = stoppedClock();
  const limits = { unauthenticatedRate: { qps: 1, burst: 1 } };
  const from = (url: string, address: string) => fetch(`${url}/v1/me`, { headers: { 'x-forwarded-for': address } });
  const behindProxy = await startTestServer({}, { clock, limits, trustedProxies: ['127.0.0.1'] });
  expect((await from(behindProxy.url, '192.0.2.1')).status).toBe(401);
  expect((await from(behindProxy.url, '192.0.2.2')).status).toBe(401);
  expect((await from(behindProxy.url, '198.51.100.9, 192.0.2.1')).status).toBe(429);
  const direct = await startTestServer({}, { clock, limits });
  expect((await from(direct.url, '192.0.2.1')).status).toBe(401);
  expect((await from(direct.url, '192.0.2.2')).status).toBe(429);
});

test('concurrent requests are bounded in total and per caller, and those of disconnected clients count until they end', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { sendRequest, post, service } = await startTestServer(
    { deploy: () => finished.then(() => deployment) },
    { limits: { maxInFlight: 2, maxInFlightPerCaller: 1 } },
  );
  const disconnect = new AbortController();
  const pending = sendRequest('/v1/deployments', {
    method: 'POST',
    body: JSON.stringify(validRequest),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test' },
    signal: disconnect.signal,
  }).catch(() => undefined);
  await waitFor('the deployment', async () => service.names.includes('deploy'), { interval: 5 });
  const rejectedPreview = await post('/v1/previews', validRequest);
  expect([rejectedPreview.status, rejectedPreview.headers.get('retry-after')]).toEqual([429, '1']);
  disconnect.abort();
  await pending;
  const bob = { authorization: 'Bearer bob-token' };
  const second = post('/v1/deployments', validRequest, bob);
  await waitFor('the second', async () => service.names.length === 2, { interval: 5 });
  const third = await sendRequest('/v1/me', { headers: { authorization: 'Bearer eve-token' } });
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
  finish();
  expect((await second).status).toBe(202);
  await waitFor('free slot', async () => (await sendRequest('/v1/me')).status === 200, { interval: 5 });
});

test('requests rejected by a limit are counted, as are requests in flight and open streams', async () => {
  const { sendRequest, post, statusUrl } = await startTestServer(
    {},
    { limits: { writeRate: { qps: 0.01, burst: 1 } } },
  );
  await statusesOf(3, () => post('/v1/previews', validRequest));
  await sendRequest(`/v1/deployments/${deploymentId}`);
  const stream = await sendRequest('/v1/changes');
  const metrics = await (await fetch(`${statusUrl}/metrics`)).text();
  for (const line of [
    'pinion_submission_requests_total{operation="preview",status="200"} 1',
    'pinion_submission_requests_total{operation="preview",status="429"} 2',
    'pinion_submission_requests_total{operation="deployment",status="200"} 1',
    'pinion_submission_request_duration_seconds_count{operation="preview"} 3',
    'pinion_submission_requests_in_flight 0',
    'pinion_submission_streams 1',
    'pinion_submission_refused_total{limit="writeRate"} 2',
  ])
    expect(metrics).toContain(line);
  await stream.body?.cancel();
});
