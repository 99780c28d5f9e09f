import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { MergedReads } from '../../../lib/gateway/merging/merged-reads';
import { Upstream } from '../../../lib/gateway/upstream/upstream';
import { ManualClock } from '../../kube/manual-clock';
import { realClock } from '../../kube/real-clock';

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly isAnswered: boolean | undefined;
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
};

let apiServer: Server;
let gateway: Server;
let upstream: Upstream;
let merged: MergedReads;
let arrived: Arrived[];
let shared: string[];
let allowed: Set<string>;
const closed: string[] = [];
/** Requests that clients have sent, and that have reached the gateway. */
const asked = { sent: 0, received: 0 };

beforeEach(async () => {
  [arrived, shared, allowed, closed.length] = [[], [], new Set(['a', 'b', 'c', 'd']), 0];
  apiServer = createServer((received, response) => {
    arrived.push({ request: received, response });
    received.socket.once('close', () => closed.push(`${received.url}`));
  });
  const server = `http://127.0.0.1:${await listening(apiServer)}`;
  const credential = (): Promise<{ token: string }> => Promise.resolve({ token: 'of-the-gateway' });
  upstream = new Upstream({ server, namespace: 'default', credential }, realClock);
  merged = new MergedReads({ upstream, clock: realClock, onError: () => undefined });
  [asked.sent, asked.received] = [0, 0];
  gateway = createServer((received, response) => {
    asked.received += 1;
    const user = `${received.headers['x-user']}`;
    const caller = { user, groups: [], extra: {} };
    const isAllowed = (): boolean => allowed.has(user);
    void merged
      .read({ request: received, response, caller, isAllowed, onShared: () => shared.push(user) })
      .then((isAnswered) => {
        if (!isAnswered) response.writeHead(599).end();
      });
  });
  await listening(gateway);
});
afterEach(async () => {
  upstream.close();
  for (const server of [gateway, apiServer]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const ask = (user: string, path = '/api/v1/pods', headers = {}): Promise<Pick<Answer, 'status' | 'body'>> =>
  new Promise((resolve, reject) => {
    const { port } = gateway.address() as AddressInfo;
    asked.sent += 1;
    request({ port, host: '127.0.0.1', path, headers: { 'x-user': user, ...headers } }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .once('error', reject)
      .end();
  });
const at = (index: number): Arrived => arrived[index] as Arrived;
const settle = async (): Promise<void> => {
  await until(() => asked.received >= asked.sent);
  await new Promise((resolve) => setTimeout(resolve, 50));
};

test('reads that arrive while one is in flight share the next one, which begins after them', async () => {
  const first = ask('a');
  await until(() => arrived.length === 1);
  const others = Promise.all([ask('b'), ask('c'), ask('d')]);
  await settle();
  // None of them gets the answer of a read that began before.
  expect(arrived).toHaveLength(1);
  at(0).response.end('before');
  expect(await first).toEqual({ status: 200, body: 'before' });
  await until(() => arrived.length === 2);
  at(1).response.end('after');
  expect(await others).toEqual(Array.from({ length: 3 }, () => ({ status: 200, body: 'after' })));
  expect(arrived).toHaveLength(2);
  expect(shared).toHaveLength(2);
  expect(at(1).request.headers).toMatchObject({
    authorization: 'Bearer of-the-gateway',
    'impersonate-user': expect.stringMatching(/^[bcd]$/) as string,
  });
});

test('the next read starts as soon as the state of the one before is known, not when it is sent', async () => {
  const first = ask('a');
  await until(() => arrived.length === 1);
  const second = ask('b');
  await settle();
  at(0).response.writeHead(200).write('beg');
  await until(() => arrived.length === 2);
  at(1).response.end('second');
  expect((await second).body).toBe('second');
  at(0).response.end('inning');
  expect((await first).body).toBe('beginning');
});

test.each([
  ['paths', '/api/v1/nodes', {}],
  ['formats', '/api/v1/pods', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
  ['encodings', '/api/v1/pods', { 'accept-encoding': 'gzip' }],
])('reads of other %s are not merged', async (_what, path, headers) => {
  const answers = [ask('a'), ask('b', path, headers)];
  await until(() => arrived.length === 2);
  for (const { response } of arrived) response.end();
  await Promise.all(answers);
});

test('a read whose format is not passed on is merged with none that has it', async () => {
  const format = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const answers = [
    ask('a', '/api/v1/pods', { accept: format, connection: 'accept' }),
    ask('b', '/api/v1/pods', { accept: format }),
  ];
  await until(() => arrived.length === 2);
  expect(arrived.map(({ request: { headers } }) => headers.accept).sort()).toEqual([format, undefined]);
  for (const { response } of arrived) response.end();
  await Promise.all(answers);
});

test.each([401, 403, 429])('status %d is that of the first reader alone; others ask for themselves', async (status) => {
  const first = ask('a');
  await until(() => arrived.length === 1);
  const others = Promise.all([ask('b'), ask('c')]);
  await settle();
  at(0).response.end();
  await first;
  await until(() => arrived.length === 2);
  at(1).response.writeHead(status).end();
  const statuses = (await others).map((answer) => answer.status).sort();
  expect(statuses).toEqual([status, 599]);
});

test('who lost its role while it waited shares nothing', async () => {
  const first = ask('a');
  await until(() => arrived.length === 1);
  const others = Promise.all([ask('b'), ask('c')]);
  await settle();
  allowed.delete('c');
  at(0).response.end();
  await first;
  await until(() => arrived.length === 2);
  at(1).response.end('allowed');
  expect(await others).toEqual([
    { status: 200, body: 'allowed' },
    { status: 599, body: '' },
  ]);
});

test('the first reader leaves without ending the answer of the others; the last one ends the request', async () => {
  const blocker = ask('a');
  await until(() => arrived.length === 1);
  const { port } = gateway.address() as AddressInfo;
  const leaving = request({ port, host: '127.0.0.1', path: '/api/v1/pods', headers: { 'x-user': 'b' } });
  leaving.on('error', () => undefined).end();
  await settle();
  const stays = ask('c');
  await settle();
  at(0).response.end();
  await blocker;
  await until(() => arrived.length === 2);
  leaving.destroy();
  await settle();
  at(1).response.end('whole');
  expect(await stays).toEqual({ status: 200, body: 'whole' });

  const last = request({ port, host: '127.0.0.1', path: '/api/v1/pods', headers: { 'x-user': 'd' } });
  last.on('error', () => undefined).end();
  await until(() => arrived.length === 3);
  closed.length = 0;
  last.destroy();
  await until(() => closed.length > 0);
});

test('a server that does not answer is asked once a second, and a lost connection is an error for all', async () => {
  const answers = [ask('a')];
  await until(() => arrived.length === 1);
  answers.push(ask('b'), ask('c'));
  await until(() => arrived.length === 2);
  for (const { request: received } of arrived) received.socket.destroy();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503, 503]);
});

test('a response that breaks off does not look complete', async () => {
  const answer = ask('a');
  await until(() => arrived.length === 1);
  at(0).response.writeHead(200, { 'content-type': 'application/json' }).write('{"items":[');
  await settle();
  at(0).request.socket.destroy();
  await expect(answer).rejects.toThrow();
});

test('a reader that does not read delays no other', async () => {
  const blocker = ask('a');
  await until(() => arrived.length === 1);
  const { port } = gateway.address() as AddressInfo;
  const stuck = request({ port, host: '127.0.0.1', path: '/api/v1/pods', headers: { 'x-user': 'b' } }, (response) =>
    response.pause(),
  );
  let isCut = false;
  stuck
    .on('error', () => (isCut = true))
    .on('close', () => (isCut = true))
    .end();
  await settle();
  const reads = ask('c');
  await settle();
  at(0).response.end();
  await blocker;
  await until(() => arrived.length === 2);
  const body = 'x'.repeat(64 * 1_024 * 1_024);
  at(1).response.end(body);
  expect((await reads).body).toHaveLength(body.length);
  expect(isCut).toBe(false);
  stuck.destroy();
});

test('readers that read nothing lose their connections after a minute, and the request ends', async () => {
  const clock = new ManualClock();
  merged = new MergedReads({ upstream, clock, onError: () => undefined });
  const { port } = gateway.address() as AddressInfo;
  const stuck = request({ port, host: '127.0.0.1', path: '/api/v1/pods', headers: { 'x-user': 'a' } }, (response) =>
    response.pause(),
  );
  let isCut = false;
  stuck.on('error', () => (isCut = true)).on('close', () => (isCut = true));
  stuck.end();
  await until(() => arrived.length === 1);
  at(0).response.write('x'.repeat(64 * 1_024 * 1_024));
  await clock.advance(59_000);
  closed.length = 0;
  // The buffers of the connection may take some time until they are full.
  for (let tries = 0; closed.length === 0 && tries < 300; tries++) {
    await settle();
    await clock.advance(60_000);
  }
  expect(closed).toEqual(['/api/v1/pods']);
  stuck.destroy();
  await until(() => isCut);
});
