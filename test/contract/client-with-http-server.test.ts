import { Registry } from 'prom-client';
import { ServiceClient, type Caller, type DeploymentEvent } from '../../lib/contract';
import { ProblemResponse, type SubmissionService } from '../../lib/submission';
import { type Limits } from '../../lib/programs';
import { startHttpServer, type HttpServer } from '../../lib/submission/http/start-http-server';
import { realClock } from '../kube/real-clock';
import { token } from './contract-server';
import { id, makeDeployment, makeEvent, makeWorkload } from './sample-resources';
import { type Clock } from '../../lib/process';

jest.setTimeout(60_000);

const caller: Caller = { subject: 'ann', issuer: 'https://login.example.com', kind: 'User', groups: [] };
const length = 40;
const events: DeploymentEvent[] = Array.from({ length }, (_, index) =>
  makeEvent(index + 1, index + 1 === length ? 'ready' : 'progressing'),
);
const delay = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** A service behind the real HTTP server: a deployment that progresses event by event, and some workloads. */
const service = {
  deploy: () => Promise.resolve(makeDeployment('pending')),
  deployment: () => Promise.resolve(makeDeployment('progressing')),
  workloads: (_, { after, limit }) => {
    const from = Number(after ?? 0);
    const items = Array.from({ length: limit }, (_unused, index) => makeWorkload(`cart-${from + index}`));
    return Promise.resolve({ items, ...(from < 3 * limit && { next: String(from + limit) }) });
  },
  approve: () =>
    Promise.reject(
      new ProblemResponse(403, {
        title: 'Not allowed',
        problems: [{ code: 'untrusted-artifact', path: ['stage'], reason: 'takes it from others', remedy: 'ask them' }],
      }),
    ),
  follow: async (_, __, after, { signal }) =>
    (async function* () {
      for (const event of events.slice(after)) {
        if (signal.aborted) return;
        await delay(5);
        yield event;
      }
    })(),
  projectsOf: () => ['shop'],
  unready: () => undefined,
} as Partial<SubmissionService> as SubmissionService;

let httpServer: HttpServer | undefined;
afterEach(() => httpServer?.stop());

async function serve(limits: Partial<Limits>, port = 0): Promise<string> {
  httpServer = await startHttpServer({
    service,
    identity: {
      recognize: () => undefined,
      authenticate: ({ authorization }) =>
        Promise.resolve(
          authorization === `Bearer ${token}`
            ? { caller, by: 'bearer' as const }
            : { refused: 'The request has no token.' },
        ),
    },
    clock: realClock,
    log: { info: () => undefined, error: () => undefined },
    audit: () => undefined,
    registry: new Registry(),
    host: '127.0.0.1',
    port,
    statusPort: 0,
    limits,
  });
  return `http://127.0.0.1:${httpServer.port}`;
}

/** Divides delays by fifty. */
const fastClock: Clock = {
  ...realClock,
  after: (milliseconds, callback) =>
    realClock.after(milliseconds < 30_000 ? milliseconds / 50 : milliseconds, callback),
};
const clientOf = (server: string): ServiceClient =>
  new ServiceClient({ server, token: () => token, fetch: (input, init) => fetch(input, init), clock: fastClock });

async function followedNumbers(client: ServiceClient): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of client.follow(id)) numbers.push(number);
  return numbers;
}
const all = events.map(({ number }) => number);

test('streams that the server closes repeatedly are followed without a gap or a duplicate', async () => {
  expect(await followedNumbers(clientOf(await serve({ maxStreamDurationMs: 60 })))).toEqual(all);
});

test('the client reconnects to a server that restarts in the middle of a stream', async () => {
  const client = clientOf(await serve({}));
  const numbers = followedNumbers(client);
  await delay(80);
  const { port } = httpServer as HttpServer;
  await httpServer?.stop();
  await serve({}, port);
  expect(await numbers).toEqual(all);
});

test('a list is read to its end despite rate limits, with the delays that the server requests', async () => {
  const client = clientOf(await serve({ readRate: { qps: 20, burst: 1 } }));
  const names: string[] = [];
  for await (const { name } of client.list('workloads', { query: { limit: 2 } })) names.push(name);
  expect(names).toEqual(Array.from({ length: 8 }, (_, index) => `cart-${index}`));
});

test('a deployment is accepted, and a rejection arrives complete', async () => {
  const client = clientOf(await serve({}));
  const body = { artifact: 'shop/cart@1.4.2', stage: 'prod' };
  expect(await client.request('deploy', { body, key: 'key-of-this-run' })).toEqual(makeDeployment('pending'));
  await expect(client.request('approve', { body })).rejects.toMatchObject({
    failure: { status: 403, title: 'Not allowed', problems: [{ code: 'untrusted-artifact', remedy: 'ask them' }] },
  });
});
