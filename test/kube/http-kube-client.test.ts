import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { setImmediate as immediately } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { type Clock, clientMetrics, connect, type ConnectOptions, type KubeClient, resourceOf } from '../../lib/kube';
import { realClock } from './real-clock';
import { answer, refuse, type Script, type ScriptedServer, startServer } from './scripted-server';

const pods = resourceOf('Pod');
const place = { name: 'a', namespace: 'shop' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...place, uid: 'u', resourceVersion: '1' } };
const sent = { apiVersion: 'v1', kind: 'Pod', metadata: place };

/** A clock that does not wait: it notes how long it should have. Time-outs of requests never come. */
function hurriedClock(waits: number[] = []): Clock {
  let time = 0;
  return {
    now: () => time,
    after: (milliseconds, callback) => {
      if (milliseconds === 30_000) return () => undefined;
      const soon = setImmediate(() => {
        waits.push(milliseconds);
        time += milliseconds;
        callback();
      });
      return () => clearImmediate(soon);
    },
    random: () => 0.5,
  };
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startServer(script);
  opened.push(server);
  return server;
}

function clientOf(server: ScriptedServer, options: Partial<ConnectOptions> = {}, tokens = ['secret']): KubeClient {
  let turn = 0;
  const client = connect(
    {
      server: server.url,
      namespace: 'default',
      credential: (_, refused) => {
        if (refused) turn = Math.min(turn + 1, tokens.length - 1);
        return Promise.resolve({ token: tokens[turn] ?? '' });
      },
    },
    { clock: realClock, userAgent: 'test/1', ...options },
  );
  opened.push(client);
  return client;
}

describe('what goes over the wire', () => {
  test('each request has its path, query, content type and name, and asks for no compression', async () => {
    const server = await serve((_, response) => answer(response, 200, pod));
    const client = clientOf(server);
    await client.get(pods, place);
    await client.list(pods, { labelSelector: 'a=b,c', limit: 5, resourceVersion: '0' });
    await client.list(pods, { namespace: 'shop', continue: 'next', resourceVersion: '0' });
    await client.create(sent);
    await client.apply(sent, { force: true, subresource: 'status' });
    await client.replaceStatus(sent);
    await client.patch(pods, place, [], { type: 'json' });
    await client.remove(pods, place, { uid: 'u', resourceVersion: '7', gracePeriodSeconds: 0 });
    await client.request('GET', '/version', undefined, { query: { a: 'b' } });
    const strict = 'fieldManager=pinion&fieldValidation=Strict';
    expect(server.seen.map(({ method, url, headers }) => [method, url, headers['content-type']])).toEqual([
      ['GET', '/api/v1/namespaces/shop/pods/a', undefined],
      [
        'GET',
        '/api/v1/pods?labelSelector=a%3Db%2Cc&limit=5&resourceVersion=0&resourceVersionMatch=NotOlderThan',
        undefined,
      ],
      ['GET', '/api/v1/namespaces/shop/pods?continue=next', undefined],
      ['POST', `/api/v1/namespaces/shop/pods?${strict}`, 'application/json'],
      ['PATCH', `/api/v1/namespaces/shop/pods/a/status?${strict}&force=true`, 'application/apply-patch+yaml'],
      ['PUT', `/api/v1/namespaces/shop/pods/a/status?${strict}`, 'application/json'],
      ['PATCH', `/api/v1/namespaces/shop/pods/a?${strict}`, 'application/json-patch+json'],
      ['DELETE', '/api/v1/namespaces/shop/pods/a', 'application/json'],
      ['GET', '/version?a=b', undefined],
    ]);
    expect(JSON.parse(server.seen[7]?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u', resourceVersion: '7' },
    });
    for (const { headers } of server.seen) {
      expect(headers).toMatchObject({ authorization: 'Bearer secret', 'user-agent': 'test/1' });
      expect(headers['accept-encoding']).toBeUndefined();
    }
    expect(server.connections()).toBe(1);
  });

  test('a refused credential is made anew once, and the request sent again', async () => {
    const server = await serve(({ headers }, response) => {
      if (headers.authorization === 'Bearer new') answer(response, 200, pod);
      else refuse(response, 401, 'Unauthorized');
    });
    expect(await clientOf(server, {}, ['old', 'new']).get(pods, place)).toEqual(pod);
    expect(server.seen).toHaveLength(2);
    await expect(clientOf(server, {}, ['old', 'older', 'new']).get(pods, place)).rejects.toMatchObject({ status: 401 });
    await expect(clientOf(server, {}, ['old']).get(pods, place)).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(2 + 2 + 1);
  });

  test('an answer that is no Status becomes an error that quotes it, without the credential', async () => {
    const server = await serve((_, response) => response.writeHead(502).end('bad gateway'));
    const failed = clientOf(server).get(pods, place);
    await expect(failed).rejects.toMatchObject({
      status: 502,
      message: 'GET /api/v1/namespaces/shop/pods/a: bad gateway',
    });
  });
});

describe('what the server asks to wait for', () => {
  test('429 is waited out with jitter, and counted', async () => {
    const waits: number[] = [];
    const registry = new Registry();
    const server = await serve((_, response, number) => {
      if (number === 0) refuse(response, 429, 'TooManyRequests', { 'retry-after': '2' });
      else if (number === 1) refuse(response, 429, 'TooManyRequests');
      else answer(response, 201, pod);
    });
    const client = clientOf(server, { clock: hurriedClock(waits), metrics: clientMetrics(registry) });
    expect(await client.create(sent)).toEqual(pod);
    expect(waits).toEqual([2_500, 1_250]);
    const host = new URL(server.url).host;
    const text = await registry.metrics();
    expect(text).toContain(`rest_client_request_retries_total{code="429",verb="POST",host="${host}"} 2`);
    expect(text).toContain(`rest_client_requests_total{code="429",method="POST",host="${host}"} 2`);
    expect(text).toContain(`rest_client_requests_total{code="201",method="POST",host="${host}"} 1`);
    expect(text).toContain(`rest_client_rate_limiter_duration_seconds_count{verb="POST",host="${host}"} 3`);
  });

  test('a server that never has time is asked eleven times', async () => {
    const server = await serve((_, response) => refuse(response, 429, 'TooManyRequests', { 'retry-after': '1' }));
    const failed = clientOf(server, { clock: hurriedClock() }).get(pods, place);
    await expect(failed).rejects.toMatchObject({ status: 429, facts: { retryAfter: 1_000 } });
    expect(server.seen).toHaveLength(11);
  });

  test.each([
    ['GET', 503, '1', 2],
    ['GET', 503, undefined, 1],
    ['GET', 500, '1', 2],
    ['POST', 503, '1', 2],
    ['POST', 500, '1', 1],
    ['GET', 503, '61', 1],
    ['GET', 404, '1', 1],
  ])('%s refused with %i and Retry-After %s is sent %i times', async (method, status, wait, times) => {
    const server = await serve((_, response, number) => {
      if (number > 0) answer(response, 200, {});
      else refuse(response, status, 'Some', wait === undefined ? {} : { 'retry-after': wait });
    });
    const asked = clientOf(server, { clock: hurriedClock() }).request(method, '/x', method === 'POST' ? {} : undefined);
    if (times === 2) await asked;
    else await expect(asked).rejects.toMatchObject({ status });
    expect(server.seen).toHaveLength(times);
  });

  test('Retry-After may be a date', async () => {
    const waits: number[] = [];
    const server = await serve((_, response, number) => {
      const later = new Date(10_000).toUTCString();
      if (number === 0) refuse(response, 503, 'ServiceUnavailable', { 'retry-after': later });
      else answer(response, 200, pod);
    });
    await clientOf(server, { clock: hurriedClock(waits) }).get(pods, place);
    expect(waits).toEqual([12_500]);
  });
});

describe('connections that break', () => {
  /** Kills a connection at its second request, as a server does that closed it while it idled. */
  const dying: Script = (__, response, _, message) => {
    const socket = message.socket as typeof message.socket & { used?: boolean };
    if (socket.used) {
      socket.destroy();
      return;
    }
    socket.used = true;
    answer(response, 200, pod);
  };

  test('a kept connection that proves dead is replaced, for requests that may come twice', async () => {
    const server = await serve(dying);
    const client = clientOf(server);
    const ask: (() => Promise<unknown>)[] = [
      () => client.get(pods, place),
      () => client.get(pods, place),
      () => client.apply(sent),
      () => client.remove(pods, place),
      () => client.replace(sent),
    ];
    for (const request of ask) await request();
    expect(server.connections()).toBe(5);
  });

  test('one that may not come twice fails, and was seen once', async () => {
    const server = await serve(dying);
    const client = clientOf(server);
    await client.get(pods, place);
    await expect(client.create(sent)).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('a fresh connection that breaks is an error at once', async () => {
    const server = await serve((_, __, ___, message) => message.socket.destroy());
    await expect(clientOf(server).get(pods, place)).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(server.seen).toHaveLength(1);
  });

  test('an answer that breaks off is an error', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"kind":');
      setImmediate(() => response.destroy());
    });
    await expect(clientOf(server).get(pods, place)).rejects.toThrow(/the answer broke off/);
  });

  test('nobody there is an error', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const failed = clientOf(server).get(pods, place);
    await expect(failed).rejects.toMatchObject({ status: 0, reason: 'Unreachable', message: /ECONNREFUSED/ });
  });

  test('a request without an answer is given up when its time is over', async () => {
    const server = await serve(() => undefined);
    const failed = clientOf(server).get(pods, place, { timeout: 50 });
    await expect(failed).rejects.toMatchObject({ reason: 'Unreachable', message: /no answer within 50 ms/ });
  });

  test('closing fails what is under way or waits, and all that comes', async () => {
    const server = await serve((_, response, number) => {
      if (number > 0) refuse(response, 429, 'TooManyRequests', { 'retry-after': '50' });
    });
    const client = clientOf(server, { rate: { qps: 0.001, burst: 1 } });
    const closed = (asked: Promise<unknown>): Promise<void> =>
      expect(asked).rejects.toMatchObject({ reason: 'Closed' });
    const failed = [closed(client.get(pods, place))];
    while (server.seen.length < 1) await immediately();
    failed.push(closed(client.unlimited.get(pods, place)), closed(client.get(pods, place)));
    while (server.seen.length < 2) await immediately();
    client.close();
    await Promise.all(failed);
    await expect(client.get(pods, place)).rejects.toMatchObject({ reason: 'Closed' });
  });
});

describe('watches', () => {
  const event = (name: string, type = 'ADDED'): string =>
    `${JSON.stringify({ type, object: { ...pod, metadata: { ...pod.metadata, name } } })}\n`;
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { 'content-type': 'application/json' });

  test('come message by message however slowly the bytes do, characters of several bytes whole', async () => {
    const names = ['Grüße', '日本語', '🚀🚀'];
    const server = await serve((_, response) => {
      const bytes = Buffer.from(names.map((name) => event(name)).join('\n'));
      stream(response);
      void (async () => {
        for (const byte of bytes) {
          response.write(Buffer.from([byte]));
          await immediately();
        }
        response.end();
      })();
    });
    const seen: string[] = [];
    await clientOf(server).watch(pods, { resourceVersion: '1' }, ({ object }) => seen.push(object.metadata.name));
    expect(seen).toEqual(names);
  });

  test.each([
    ['ends within a message', (response: ServerResponse) => response.end(event('a').slice(0, 20)), /within a line/],
    ['breaks off', (response: ServerResponse) => response.socket?.destroy(), /broke off/],
    ['says what is no JSON', (response: ServerResponse) => response.end('nonsense\n'), /no JSON/],
  ])('that %s fail, after what came before', async (_, end, message) => {
    const server = await serve((__, response) => {
      stream(response).write(event('first'));
      setTimeout(() => end(response), 20);
    });
    const seen: string[] = [];
    const watching = clientOf(server).watch(pods, {}, ({ object }) => seen.push(object.metadata.name));
    await expect(watching).rejects.toMatchObject({ status: 0, message });
    expect(seen).toEqual(['first']);
  });

  test('an error message fails with its status', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    const server = await serve((_, response) =>
      stream(response).end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`),
    );
    const watching = clientOf(server).watch(pods, { resourceVersion: '1' }, () => undefined);
    await expect(watching).rejects.toMatchObject({
      status: 410,
      reason: 'Expired',
      message: 'too old resource version',
    });
  });

  test('have connections of their own, as has what is unlimited: neither can starve the others', async () => {
    const waiting: ServerResponse[] = [];
    const server = await serve(({ url }, response) => {
      if (url.includes('watch=true')) stream(response).write(event('a', 'BOOKMARK'));
      else if (url.includes('/slow')) waiting.push(response);
      else answer(response, 200, pod);
    });
    const client = clientOf(server, { rate: { qps: 1_000, burst: 1_000 } });
    const ending = new AbortController();
    const outcomes: Promise<unknown>[] = [];
    let begun = 0;
    for (let at = 0; at < 100; at++) {
      const watching = client.watch(pods, {}, () => (begun += 1), { signal: ending.signal });
      outcomes.push(watching.catch((error: unknown) => error));
      outcomes.push(
        client.request('GET', '/slow', undefined, { signal: ending.signal }).catch((error: unknown) => error),
      );
    }
    while (begun < 100 || waiting.length < 64) await immediately();
    expect(await client.unlimited.get(pods, place)).toEqual(pod);
    expect(waiting).toHaveLength(64);
    ending.abort();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ reason: 'Aborted' });
    expect(await client.get(pods, place)).toEqual(pod);
  });

  test('what a callback throws closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const server = await serve((_, response) => {
      closed = once(response, 'close');
      stream(response).write(event('a'));
    });
    const surprise = new Error('from the callback');
    const watching = clientOf(server).watch(pods, {}, () => {
      throw surprise;
    });
    await expect(watching).rejects.toBe(surprise);
    await closed;
  });
});

describe('the own rate', () => {
  test('what is unlimited does not wait behind those that do, and a wait can be ended', async () => {
    const server = await serve((_, response) => answer(response, 200, pod));
    const client = clientOf(server, { rate: { qps: 0.001, burst: 1 } });
    await client.get(pods, place);
    const ending = new AbortController();
    const waiting = client.get(pods, place, { signal: ending.signal });
    expect(await client.unlimited.get(pods, place)).toEqual(pod);
    expect(client.unlimited.unlimited).toBe(client.unlimited);
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'Aborted' });
    expect(server.seen).toHaveLength(2);
  });

  test('the right to write is asked for after the wait, and before each attempt', async () => {
    let mayWrite = true;
    const server = await serve((_, response) => {
      mayWrite = false;
      refuse(response, 429, 'TooManyRequests', { 'retry-after': '1' });
    });
    const client = clientOf(server, { clock: hurriedClock(), mayWrite: () => mayWrite });
    await expect(client.apply(sent)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect(server.seen).toHaveLength(1);
    await expect(client.get(pods, place)).rejects.toMatchObject({ status: 429 });
    await expect(client.unlimited.apply(sent)).rejects.toMatchObject({ status: 429 });
  });

  test('it is asked for again where a kept connection proves dead, and when a fresh one is made', async () => {
    let mayWrite = true;
    const server = await serve((_, response, number, message) => {
      if (number === 0) return answer(response, 200, pod);
      mayWrite = false;
      message.socket.destroy();
    });
    const client = clientOf(server, { mayWrite: () => mayWrite });
    await client.apply(sent);
    await expect(client.apply(sent)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect(server.seen).toHaveLength(2);
    let asked = 0;
    const slow = clientOf(server, { mayWrite: () => (asked += 1) === 1 });
    await expect(slow.apply(sent)).rejects.toMatchObject({ status: 0, reason: 'NotLeading' });
    expect([asked, server.seen.length]).toEqual([2, 2]);
  });
});
