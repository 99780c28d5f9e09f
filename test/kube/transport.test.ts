import { setImmediate as immediately } from 'node:timers/promises';
import { sendJson, sendStatus, type Script } from './scripted-server';
import { clientOf, podKey, pod, pods, podManifest, serve } from './client-fixture';

describe('broken connections', () => {
  /** Kills a connection at its second request, like a server that closed it while idle. */
  const breaksSecondRequest: Script = (__, response, _, message) => {
    const socket = message.socket as typeof message.socket & { used?: boolean };
    if (socket.used) {
      socket.destroy();
      return;
    }
    socket.used = true;
    sendJson(response, 200, pod);
  };

  test('a reused connection that turns out to be closed is replaced for idempotent requests', async () => {
    const server = await serve(breaksSecondRequest);
    const client = clientOf(server);
    const requests: (() => Promise<unknown>)[] = [
      () => client.get(pods, podKey),
      () => client.get(pods, podKey),
      () => client.apply(podManifest),
      () => client.delete(pods, podKey),
      () => client.update(podManifest),
    ];
    for (const request of requests) await request();
    expect(server.connections()).toBe(5);
  });

  test('a non-idempotent request fails and arrives only once', async () => {
    const server = await serve(breaksSecondRequest);
    const client = clientOf(server);
    await client.get(pods, podKey);
    await expect(client.create(podManifest)).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('a new connection that breaks is an error at once', async () => {
    const server = await serve((_, __, ___, message) => message.socket.destroy());
    await expect(clientOf(server).get(pods, podKey)).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(server.seen).toHaveLength(1);
  });

  test('an interrupted response is an error', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"kind":');
      setImmediate(() => response.destroy());
    });
    await expect(clientOf(server).get(pods, podKey)).rejects.toThrow(/the response was interrupted/);
  });

  test('a watch that ends by a connection reset is not retried, even on a reused connection', async () => {
    const server = await serve((_, response, number, message) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${JSON.stringify({ type: 'ADDED', object: pod })}\n`, () => {
        if (number === 0) response.end();
        else setTimeout(() => message.socket.resetAndDestroy(), 20);
      });
    });
    const client = clientOf(server);
    const seen: string[] = [];
    const watch = () => client.watch(pods, { resourceVersion: '1' }, ({ type }) => void seen.push(type));
    await watch();
    await immediately(); // its connection is reused from then on
    await expect(watch()).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    expect([server.seen.length, server.connections(), seen]).toEqual([2, 1, ['ADDED', 'ADDED']]);
  });

  test('an unreachable server is an error', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const failed = clientOf(server).get(pods, podKey);
    await expect(failed).rejects.toMatchObject({
      status: 0,
      reason: 'Unreachable',
      message: expect.stringMatching(/ECONNREFUSED/) as string,
    });
  });

  test('a request without a response is aborted at its timeout', async () => {
    const server = await serve(() => undefined);
    const failed = clientOf(server).get(pods, podKey, { timeout: 50 });
    await expect(failed).rejects.toMatchObject({
      reason: 'Unreachable',
      message: expect.stringMatching(/no response within 50 ms/) as string,
    });
  });

  test('closing fails pending and waiting requests and rejects new ones', async () => {
    const server = await serve((_, response, number) => {
      if (number > 0) sendStatus(response, 429, 'TooManyRequests', { 'retry-after': '50' });
    });
    const client = clientOf(server, { rate: { qps: 0.001, burst: 1 } });
    const closed = (request: Promise<unknown>): Promise<void> =>
      expect(request).rejects.toMatchObject({ reason: 'Closed' });
    const failed = [closed(client.get(pods, podKey))];
    while (server.seen.length < 1) await immediately();
    failed.push(closed(client.unlimited.get(pods, podKey)), closed(client.get(pods, podKey)));
    while (server.seen.length < 2) await immediately();
    client.close();
    await Promise.all(failed);
    await expect(client.get(pods, podKey)).rejects.toMatchObject({ reason: 'Closed' });
  });
});
