import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { setImmediate as immediately } from 'node:timers/promises';
import { sendJson, sendStatus } from './scripted-server';
import { clientOf, podKey, pod, pods, podManifest, serve } from './client-fixture';

describe('requests', () => {
  test('carry path, query, content type and user agent, and do not ask for compression', async () => {
    const server = await serve((_, response) => sendJson(response, 200, pod));
    const client = clientOf(server);
    await client.get(pods, podKey);
    await client.list(pods, { labelSelector: 'a=b,c', limit: 5, resourceVersion: '0' });
    await client.list(pods, { namespace: 'shop', continue: 'next', resourceVersion: '0' });
    await client.create(podManifest);
    await client.apply(podManifest, { force: true, subresource: 'status' });
    await client.updateStatus(podManifest);
    await client.patch(pods, podKey, [], { type: 'json' });
    await client.delete(pods, podKey, { uid: 'u', resourceVersion: '7', gracePeriodSeconds: 0 });
    await client.request('GET', '/version', undefined, { query: { a: 'b' } });
    const strict = 'fieldManager=test&fieldValidation=Strict';
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

  test('write objects of given resources and of known kinds, each of its own group', async () => {
    const server = await serve((_, response) => sendJson(response, 200, pod));
    const plural = 'gitjobs';
    const client = clientOf(server, {
      fieldManager: 'jobs',
      resources: [{ apiVersion: 'git.example.com/v1', kind: 'Job', plural, namespaced: false }],
    });
    for (const apiVersion of ['git.example.com/v1', 'git.example.com/v2', 'batch/v1'])
      await client.create({ apiVersion, kind: 'Job', metadata: { name: 'a' } });
    const query = 'fieldManager=jobs&fieldValidation=Strict';
    expect(server.seen.map(({ url }) => url)).toEqual([
      `/apis/git.example.com/v1/gitjobs?${query}`,
      `/apis/git.example.com/v2/gitjobs?${query}`,
      `/apis/batch/v1/namespaces/default/jobs?${query}`,
    ]);
    const other = { apiVersion: 'other.example.com/v1', kind: 'Job', metadata: { name: 'a' } };
    await expect(client.apply(other)).rejects.toThrow('unknown kind Job of other.example.com/v1');
    await expect(client.update({ ...other, kind: 'Unheard' })).rejects.toThrow('unknown kind Unheard');
  });

  test('are sent again once with a renewed credential after a 401', async () => {
    const server = await serve(({ headers }, response) => {
      if (headers.authorization === 'Bearer new') sendJson(response, 200, pod);
      else sendStatus(response, 401, 'Unauthorized');
    });
    expect(await clientOf(server, {}, ['old', 'new']).get(pods, podKey)).toEqual(pod);
    expect(server.seen).toHaveLength(2);
    await expect(clientOf(server, {}, ['old', 'older', 'new']).get(pods, podKey)).rejects.toMatchObject({
      status: 401,
    });
    await expect(clientOf(server, {}, ['old']).get(pods, podKey)).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(2 + 2 + 1);
  });

  test('report a response that is not a Status by quoting it, without the credential', async () => {
    const server = await serve((_, response) => response.writeHead(502).end('bad gateway'));
    const failed = clientOf(server).get(pods, podKey);
    await expect(failed).rejects.toMatchObject({
      status: 502,
      message: 'GET /api/v1/namespaces/shop/pods/a: bad gateway',
    });
  });
});

describe('watches', () => {
  const event = (name: string, type = 'ADDED'): string =>
    `${JSON.stringify({ type, object: { ...pod, metadata: { ...pod.metadata, name } } })}\n`;
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { 'content-type': 'application/json' });

  test('arrive message by message however the bytes are chunked, with multi-byte characters intact', async () => {
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
    ['is interrupted', (response: ServerResponse) => response.socket?.destroy(), /was interrupted/],
    ['is not JSON', (response: ServerResponse) => response.end('nonsense\n'), /is not JSON/],
  ])('fail after the messages before it if the stream %s', async (_, end, message) => {
    const server = await serve((__, response) => {
      stream(response).write(event('first'));
      setTimeout(() => end(response), 20);
    });
    const seen: string[] = [];
    const watching = clientOf(server).watch(pods, {}, ({ object }) => seen.push(object.metadata.name));
    await expect(watching).rejects.toMatchObject({ status: 0, message: expect.stringMatching(message) as string });
    expect(seen).toEqual(['first']);
  });

  test('fail with the status of an error message', async () => {
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

  test('use their own connections, as do unlimited requests: neither starves the other', async () => {
    const pending: ServerResponse[] = [];
    const server = await serve(({ url }, response) => {
      if (url.includes('watch=true')) stream(response).write(event('a', 'BOOKMARK'));
      else if (url.includes('/slow')) pending.push(response);
      else sendJson(response, 200, pod);
    });
    const client = clientOf(server, { rate: { qps: 1_000, burst: 1_000 } });
    const ending = new AbortController();
    const outcomes: Promise<unknown>[] = [];
    let started = 0;
    for (let at = 0; at < 100; at++) {
      const watching = client.watch(pods, {}, () => (started += 1), { signal: ending.signal });
      outcomes.push(watching.catch((error: unknown) => error));
      outcomes.push(
        client.request('GET', '/slow', undefined, { signal: ending.signal }).catch((error: unknown) => error),
      );
    }
    while (started < 100 || pending.length < 64) await immediately();
    expect(await client.unlimited.get(pods, podKey)).toEqual(pod);
    expect(pending).toHaveLength(64);
    ending.abort();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ reason: 'Aborted' });
    expect(await client.get(pods, podKey)).toEqual(pod);
  });

  test('close the connection if a callback throws', async () => {
    let closed: Promise<unknown> | undefined;
    const server = await serve((_, response) => {
      closed = once(response, 'close');
      stream(response).write(event('a'));
    });
    const thrownError = new Error('from the callback');
    const watching = clientOf(server).watch(pods, {}, () => {
      throw thrownError;
    });
    await expect(watching).rejects.toBe(thrownError);
    await closed;
  });
});
