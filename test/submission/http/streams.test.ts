import { once } from 'node:events';
import { connect } from 'node:net';
import { ProblemResponse } from '../../../lib/submission/problem-response';
import { waitFor } from '../../control-plane/wait-for';
import { startTestServer } from './test-server';
import { deploymentId, event, untilAborted } from './recording-service';

const events = `/v1/deployments/${deploymentId}/events`;

test('a follow sends each event with its id, and reports completion', async () => {
  const { sendRequest } = await startTestServer();
  const response = await sendRequest(events);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const [first, ...rest] = (await response.text()).split('\n\n');
  expect(first).toMatch(/^retry: \d+$/);
  expect(rest.slice(0, 4)).toEqual([
    ...[1, 2, 3].map((number) => `id: ${number}\ndata: ${JSON.stringify(event(number))}`),
    'event: end\ndata: {}',
  ]);
});

test('a follow continues after the last event of its reader', async () => {
  const { sendRequest, service } = await startTestServer();
  const text = await (await sendRequest(events, { headers: { 'last-event-id': '2' } })).text();
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['3']);
  expect(service.calls[0]?.slice(2, 4)).toEqual([deploymentId, 2]);
});

test.each(['-1', 'x', '1.5', '9'.repeat(16), '1, 2'])('the last event id %j is rejected', async (id) => {
  const { sendRequest, service } = await startTestServer();
  const response = await sendRequest(events, { headers: { 'last-event-id': id } });
  expect(await response.json()).toMatchObject({
    status: 400,
    problems: [{ path: ['header', 'Last-Event-ID'], value: id }],
  });
  expect(service.calls).toEqual([]);
});

test('a rejection before a stream starts is a problem document', async () => {
  const { sendRequest } = await startTestServer({
    follow: () => Promise.reject(new ProblemResponse(404, { title: 'Not Found' })),
  });
  const response = await sendRequest(events);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

test('a failed source ends its stream with the failure, without the text of an internal error', async () => {
  const { sendRequest, errors } = await startTestServer({
    async follow() {
      return (async function* () {
        yield event(1);
        throw new Error('secret-of-a-fault');
      })();
    },
  });
  const text = await (await sendRequest(events)).text();
  expect(text).toContain('event: failure\ndata: {"type":"about:blank","title":"Internal Server Error","status":500');
  expect(text).not.toMatch(/secret|event: end/);
  expect(errors).toHaveLength(1);
});

test('an idle stream sends heartbeats', async () => {
  const { sendRequest } = await startTestServer({}, { limits: { heartbeatIntervalMs: 20 } });
  const reader = (await sendRequest('/v1/changes')).body?.getReader();
  let text = '';
  while ((text.match(/: alive\n\n/g) ?? []).length < 3)
    text += Buffer.from((await reader?.read())?.value ?? []).toString();
  await reader?.cancel();
});

test('a reader that disconnects aborts the source, and releases its slot', async () => {
  const signals: AbortSignal[] = [];
  const { sendRequest } = await startTestServer(
    {
      async changes(_caller, _which, { signal }) {
        signals.push(signal);
        return untilAborted(signal);
      },
    },
    { limits: { maxStreamsPerCaller: 1 } },
  );
  const first = await sendRequest('/v1/changes');
  const second = await sendRequest('/v1/changes');
  expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([200, 429, '5']);
  await first.body?.cancel();
  await waitFor('the signal', async () => signals[0]?.aborted, { interval: 5 });
  const third = await waitFor('a free slot', async () => {
    const response = await sendRequest('/v1/changes');
    return response.status === 200 && response;
  });
  await third.body?.cancel();
});

test('a reader that disconnects before the stream starts leaves no open source', async () => {
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const signals: AbortSignal[] = [];
  const { sendRequest, errors, statusUrl } = await startTestServer({
    async changes(_caller, _which, { signal }) {
      signals.push(signal);
      await started;
      return untilAborted(signal);
    },
  });
  const disconnect = new AbortController();
  const pending = sendRequest('/v1/changes', { signal: disconnect.signal }).catch(() => undefined);
  await waitFor('the source to be requested', async () => signals.length === 1, { interval: 5 });
  disconnect.abort();
  await pending;
  start();
  await waitFor('the signal', async () => signals[0]?.aborted, { interval: 5 });
  const metrics = async (): Promise<string> => (await fetch(`${statusUrl}/metrics`)).text();
  await waitFor('the free slot', async () => (await metrics()).includes('pinion_submission_streams 0\n'), {
    interval: 5,
  });
  expect(errors).toEqual([]);
});

test('streams are bounded in total, separately from other requests', async () => {
  const { sendRequest } = await startTestServer({}, { limits: { maxStreams: 2, maxStreamsPerCaller: 1 } });
  const openAs = (name: string) => sendRequest('/v1/changes', { headers: { authorization: `Bearer ${name}-token` } });
  const open = [await openAs('ana'), await openAs('bob')];
  expect([...open, await openAs('eve')].map(({ status }) => status)).toEqual([200, 200, 503]);
  for (const { body } of open) await body?.cancel();
});

test('a caller who is a member of nothing cannot hold streams', async () => {
  const { sendRequest, service } = await startTestServer({}, { limits: { maxStreams: 1 } });
  service.members = { eve: [] };
  for (const path of ['/v1/changes', '/v1/changes?project=shop', events]) {
    const response = await sendRequest(path, { headers: { authorization: 'Bearer eve-token' } });
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ detail: expect.stringContaining('members of a project') }),
    ]);
  }
  expect(service.names).toEqual([]);
  const own = await sendRequest('/v1/changes');
  expect(own.status).toBe(200);
  await own.body?.cancel();
});

test('the members of one project cannot hold the streams of the others', async () => {
  const { sendRequest, service } = await startTestServer(
    {},
    { limits: { maxStreams: 10, maxStreamsPerCaller: 5, maxStreamsPerProject: 2 } },
  );
  service.members = { ana: ['shop'], bob: ['shop'], eve: ['shop', 'search'] };
  const openAs = (name: string, query = '') =>
    sendRequest(`/v1/changes${query}`, { headers: { authorization: `Bearer ${name}-token` } });
  const open = [await openAs('ana'), await openAs('bob'), await openAs('eve')];
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  const rejected = [await openAs('ana'), await openAs('eve', '?project=shop')];
  expect(rejected.map(({ status }) => status)).toEqual([429, 429]);
  await open[0]?.body?.cancel();
  const next = await waitFor('a free slot', async () => {
    const response = await openAs('bob');
    return response.status === 200 && response;
  });
  for (const { body } of [...open.slice(1), next]) await body?.cancel();
});

test('a stream ends after its time limit, with a retry delay and without reporting completion', async () => {
  const { sendRequest } = await startTestServer(
    { follow: async (_caller, _id, _after, { signal }) => untilAborted(signal) },
    { limits: { maxStreamDurationMs: 50 } },
  );
  expect(await (await sendRequest(events)).text()).toMatch(/^retry: \d+\n\nretry: \d+\n\n$/);
});

test('a reader that does not read pauses the source, and is disconnected after a timeout', async () => {
  let sent = 0;
  let isAborted = false;
  const workload = { project: 'shop', target: 'blue', kind: 'PinterestService' as const, name: 'x'.repeat(60_000) };
  const { httpServer } = await startTestServer(
    {
      async changes(_caller, _which, { signal }) {
        signal.addEventListener('abort', () => (isAborted = true));
        return (async function* () {
          for (; !signal.aborted; sent++) yield { type: 'workloadGone' as const, workload };
        })();
      },
    },
    { limits: { streamReadTimeoutMs: 500 } },
  );
  const socket = connect(httpServer.port, '127.0.0.1');
  socket.once('error', () => undefined);
  socket.write('GET /v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ana-token\r\n\r\n');
  await once(socket, 'readable');
  await waitFor('the stream to be closed', async () => isAborted, { interval: 20 });
  socket.destroy();
  // Kernel buffers take some megabytes; without a limit there would be many thousands of events.
  expect(sent).toBeGreaterThan(1);
  expect(sent).toBeLessThan(500);
}, 30_000);
