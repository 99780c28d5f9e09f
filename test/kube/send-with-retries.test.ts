import { Registry } from 'prom-client';
import { clientMetrics } from '../../lib/kube';
import { sendJson, sendStatus } from './scripted-server';
import { clientOf, instantClock, podKey, pod, pods, podManifest, serve } from './client-fixture';

describe('delays requested by the server', () => {
  test('a 429 is retried after the delay with jitter, and counted', async () => {
    const waits: number[] = [];
    const registry = new Registry();
    const server = await serve((_, response, number) => {
      if (number === 0) sendStatus(response, 429, 'TooManyRequests', { 'retry-after': '2' });
      else if (number === 1) sendStatus(response, 429, 'TooManyRequests');
      else sendJson(response, 201, pod);
    });
    const client = clientOf(server, { clock: instantClock(waits), metrics: clientMetrics(registry) });
    expect(await client.create(podManifest)).toEqual(pod);
    expect(waits).toEqual([2_500, 1_250]);
    const host = new URL(server.url).host;
    const text = await registry.metrics();
    expect(text).toContain(`rest_client_request_retries_total{code="429",verb="POST",host="${host}"} 2`);
    expect(text).toContain(`rest_client_requests_total{code="429",method="POST",host="${host}"} 2`);
    expect(text).toContain(`rest_client_requests_total{code="201",method="POST",host="${host}"} 1`);
    expect(text).toContain(`rest_client_rate_limiter_duration_seconds_count{verb="POST",host="${host}"} 3`);
  });

  test('a server that always returns 429 gets eleven requests', async () => {
    const server = await serve((_, response) => sendStatus(response, 429, 'TooManyRequests', { 'retry-after': '1' }));
    const failed = clientOf(server, { clock: instantClock() }).get(pods, podKey);
    await expect(failed).rejects.toMatchObject({ status: 429, details: { retryAfter: 1_000 } });
    expect(server.seen).toHaveLength(11);
  });

  test('a caller that disables retries gets the error at once', async () => {
    const server = await serve((_, response) => sendStatus(response, 429, 'TooManyRequests', { 'retry-after': '1' }));
    const failed = clientOf(server, { clock: instantClock() }).request('POST', '/x', {}, { retries: 0 });
    await expect(failed).rejects.toMatchObject({ status: 429 });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['GET', 503, '1', 2],
    ['GET', 503, undefined, 1],
    ['GET', 500, '1', 2],
    ['POST', 503, '1', 2],
    ['POST', 500, '1', 1],
    ['GET', 503, '61', 1],
    ['GET', 404, '1', 1],
  ])('%s rejected with %i and Retry-After %s is sent %i times', async (method, status, wait, times) => {
    const server = await serve((_, response, number) => {
      if (number > 0) sendJson(response, 200, {});
      else sendStatus(response, status, 'Some', wait === undefined ? {} : { 'retry-after': wait });
    });
    const request = clientOf(server, { clock: instantClock() }).request(
      method,
      '/x',
      method === 'POST' ? {} : undefined,
    );
    if (times === 2) await request;
    else await expect(request).rejects.toMatchObject({ status });
    expect(server.seen).toHaveLength(times);
  });

  test('Retry-After may be a date', async () => {
    const waits: number[] = [];
    const server = await serve((_, response, number) => {
      const later = new Date(10_000).toUTCString();
      if (number === 0) sendStatus(response, 503, 'ServiceUnavailable', { 'retry-after': later });
      else sendJson(response, 200, pod);
    });
    await clientOf(server, { clock: instantClock(waits) }).get(pods, podKey);
    expect(waits).toEqual([12_500]);
  });
});

describe('the client-side rate limit', () => {
  test('unlimited requests do not wait behind limited ones, and a wait can be aborted', async () => {
    const server = await serve((_, response) => sendJson(response, 200, pod));
    const client = clientOf(server, { rate: { qps: 0.001, burst: 1 } });
    await client.get(pods, podKey);
    const ending = new AbortController();
    const waiting = client.get(pods, podKey, { signal: ending.signal });
    expect(await client.unlimited.get(pods, podKey)).toEqual(pod);
    expect(client.unlimited.unlimited).toBe(client.unlimited);
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'Aborted' });
    expect(server.seen).toHaveLength(2);
  });

  test('permission to write is checked after the wait, and before each attempt', async () => {
    let mayWrite = true;
    const server = await serve((_, response) => {
      mayWrite = false;
      sendStatus(response, 429, 'TooManyRequests', { 'retry-after': '1' });
    });
    const client = clientOf(server, { clock: instantClock(), mayWrite: () => mayWrite });
    await expect(client.apply(podManifest)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect(server.seen).toHaveLength(1);
    await expect(client.get(pods, podKey)).rejects.toMatchObject({ status: 429 });
    await expect(client.unlimited.apply(podManifest)).rejects.toMatchObject({ status: 429 });
  });

  test('it is checked again when a reused connection turns out to be closed and a new one is opened', async () => {
    let mayWrite = true;
    const server = await serve((_, response, number, message) => {
      if (number === 0) return sendJson(response, 200, pod);
      mayWrite = false;
      message.socket.destroy();
    });
    const client = clientOf(server, { mayWrite: () => mayWrite });
    await client.apply(podManifest);
    await expect(client.apply(podManifest)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect(server.seen).toHaveLength(2);
    let checks = 0;
    const slow = clientOf(server, { mayWrite: () => (checks += 1) === 1 });
    await expect(slow.apply(podManifest)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect([checks, server.seen.length]).toEqual([2, 2]);
  });
});
