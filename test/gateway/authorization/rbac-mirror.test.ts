import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { RbacMirror } from '../../../lib/gateway/authorization/rbac-mirror';
import { connect, type KubeClient } from '../../../lib/kube';
import { ManualClock } from '../../kube/manual-clock';

let server: Server;
let client: KubeClient;
let mirror: RbacMirror;
let clock: ManualClock;
/** Paths of the watches, in order. */
let watched: string[];
/** Whether the server answers watches; otherwise they hang, with their first object or without any. */
let answers: 'whole' | 'first' | 'none';
let errors: unknown[];

const endOfInitialEvents = JSON.stringify({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: '10', annotations: { 'k8s.io/initial-events-end': 'true' } } },
});
const firstRole = JSON.stringify({
  type: 'ADDED',
  object: { metadata: { name: 'first', uid: '1', resourceVersion: '9' } },
});
const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
};
/** Advances the clock second by second, so that answers arrive in between. */
const pass = async (seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

beforeEach(async () => {
  [watched, answers, errors, clock] = [[], 'whole', [], new ManualClock()];
  server = createServer(({ url = '' }, response: ServerResponse) => {
    watched.push(url);
    if (answers === 'none') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    // As the API server about a resource that does not change: no bookmark after the first.
    if (url.includes('sendInitialEvents')) response.write(`${answers === 'whole' ? endOfInitialEvents : firstRole}\n`);
    response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect(
    {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      namespace: 'default',
      credential: () => Promise.resolve({ token: 'of-the-gateway' }),
    },
    { clock, userAgent: 'test', rate: { qps: 1_000, burst: 1_000 } },
  );
  mirror = new RbacMirror({ client, clock, onError: (error) => errors.push(error) });
  await mirror.start();
});
afterEach(async () => {
  await mirror.stop();
  client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('roles that do not change stay recent, because all are read again after silence', async () => {
  expect(watched).toHaveLength(4);
  for (let minutes = 0; minutes < 10; minutes++) {
    await pass(60);
    expect(mirror.isRecent()).toBe(true);
  }
  expect(watched.every((url) => url.includes('sendInitialEvents'))).toBe(true);
  expect(watched.length).toBeGreaterThan(20);
  expect(errors).toEqual([]);
});

test('roles whose watches hang are recent for 90 seconds, and again as soon as they are read', async () => {
  answers = 'none';
  await pass(69);
  // An incomplete list does not say which roles are gone.
  answers = 'first';
  await pass(20);
  expect(mirror.isRecent()).toBe(true);
  await pass(2);
  expect(mirror.isRecent()).toBe(false);
  await pass(60);
  expect(mirror.isRecent()).toBe(false);
  answers = 'whole';
  await pass(120);
  await until(() => mirror.isRecent());
});
