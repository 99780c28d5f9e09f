import fc from 'fast-check';
import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import {
  RequestFailed,
  ServiceClient,
  ServiceUnreachable,
  type ClientOptions,
  type DeploymentEvent,
  type WatchMessage,
} from '../../lib/contract';
import { type ClientTimeouts } from '../../lib/contract';
import { parseRetryAfter } from '../../lib/contract/retry-back-off';
import { ContractServer, inTurn, token, type Reply } from './contract-server';
import { frame, id, makePreview, makeDeployment, makeEvent, makeProject, makeWorkload } from './sample-resources';
import { type Clock } from '../../lib/process';

jest.setTimeout(60_000);

let server: ContractServer;
let waits: number[];
beforeEach(async () => {
  waits = [];
  server = await new ContractServer().start();
});
afterEach(async () => {
  await server.stop();
  expect(server.errors).toEqual([]);
});

/** A clock that runs a thousand times as fast as the real one. */
const start = performance.now();
const fast: Clock = {
  now: () => 1_795_000_000_000 + (performance.now() - start) * 1000,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds / 1000);
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};
/** Timeouts so long that none of them expires during a test. */
const timeouts: Required<ClientTimeouts> = { attempt: 60_000_000, total: 60_000_000, idle: 60_000_000 };

const client = (overrides: Partial<ClientOptions> = {}): ServiceClient =>
  new ServiceClient({
    server: server.url,
    token: () => token,
    fetch,
    clock: fast,
    timeouts,
    onRetry: (_, milliseconds) => void waits.push(milliseconds),
    ...overrides,
  });

const deployRequest = { body: { artifact: 'shop/cart@1.4.2', stage: 'prod' }, key: 'key-of-this-run' } as const;

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
}

describe('responses', () => {
  test('each operation has its path, query, body and types', async () => {
    server.replies = {
      workload: ({ params }) => ({
        value: {
          ...makeWorkload(params['name'] ?? ''),
          children: {},
          hosts: ['cart.example.com'],
          spec: { replicas: 3 },
        },
      }),
      preview: () => ({ value: makePreview() }),
      deployments: ({ query }) => ({ value: { items: [makeDeployment('ready', { stage: String(query['stage']) })] } }),
    };
    const { hosts } = await client().request('workload', {
      params: { project: 'shop', target: 'prod-1', kind: 'PinterestService', name: 'cart' },
    });
    expect(hosts).toEqual(['cart.example.com']);
    expect((await client().request('preview', { body: deployRequest.body })).decision).toBe('accept');
    const page = await client().request('deployments', { query: { stage: 'prod', limit: 2, workflow: undefined } });
    expect(page.items[0]?.stage).toBe('prod');
  });

  test('unknown fields from a newer service are ignored, including in an approval', async () => {
    const approval = { artifact: 'shop/cart@1.4.2', stage: 'prod', digest: makeDeployment().digest };
    const by = { subject: 'ann', issuer: 'https://issuer.example.com' };
    server.replies = {
      deployment: () => ({ value: makeDeployment(), more: { weather: 'fine' } }),
      approve: () => ({
        value: { ...approval, approvedBy: by, approvedAt: '2026-11-21T14:00:00Z' },
        more: { why: 'x' },
      }),
    };
    expect(await client().request('deployment', { params: { id } })).toEqual(makeDeployment());
    expect(await client().request('approve', { body: deployRequest.body })).toMatchObject({ approvedBy: by });
  });

  test('path and query values are escaped', async () => {
    const asked: string[] = [];
    const never: typeof fetch = (input) => {
      asked.push(String(input));
      return Promise.reject(new Error('not sent'));
    };
    await failureOf(client({ fetch: never }).request('deployment', { params: { id: '../a?b#c' } }));
    await failureOf(client({ fetch: never }).request('workloads', { query: { project: 'a&b=c#d' } }));
    expect(asked).toEqual([
      `${server.url}/v1/deployments/..%2Fa%3Fb%23c`,
      `${server.url}/v1/workloads?project=a%26b%3Dc%23d`,
    ]);
  });

  test('the path of the server URL is kept, and its trailing slash is not doubled', async () => {
    server.replies = { deployment: () => ({ value: makeDeployment() }) };
    const asked: string[] = [];
    const through: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(String(input).replace('/pinion', ''), init);
    };
    await client({ server: `${server.url}/pinion/`, fetch: through }).request('deployment', { params: { id } });
    expect(asked).toEqual([`${server.url}/pinion/v1/deployments/${id}`]);
  });

  test('lists are read page by page, and only as far as they are consumed', async () => {
    server.replies = {
      projects: ({ query }) => {
        const from = Number(query['after'] ?? 0);
        const items = [from, from + 1].map((number) => makeProject({ name: `shop-${number}` }));
        return { value: { items, ...(from < 4 && { next: String(from + 2) }) } };
      },
    };
    const names: string[] = [];
    for await (const { name } of client().list('projects', {})) names.push(name);
    expect(names).toEqual(['shop-0', 'shop-1', 'shop-2', 'shop-3', 'shop-4', 'shop-5']);
    for await (const { name } of client().list('projects', {})) if (name === 'shop-1') break;
    expect(server.requests).toHaveLength(4);
  });

  test('a list whose next page is the same page is an error, not an infinite loop', async () => {
    server.replies = { projects: () => ({ value: { items: [], next: 'here' } }) };
    const read = async () => {
      for await (const _ of client().list('projects', {}));
    };
    expect(await failureOf(read())).toMatchObject({ message: expect.stringContaining('the same page') as unknown });
  });
});

describe('failures', () => {
  const problems = [
    { code: 'untrusted-artifact', path: ['stage'], reason: 'is not signed', remedy: 'publish it by CI' },
  ];

  test('an error carries the problem document', async () => {
    server.replies = {
      deploy: () => ({
        fails: 403,
        details: { title: 'Rejected', detail: 'Denied by policy.', problems, preview: makePreview() },
      }),
    };
    const error = await failureOf(client().request('deploy', deployRequest));
    expect(error).toBeInstanceOf(RequestFailed);
    expect(error).toMatchObject({
      message: 'Denied by policy.',
      failure: { status: 403, problems, preview: { stage: 'prod' } },
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['an HTML page of a proxy', '<html>Forbidden</html>', { title: 'the service responded with status 403' }],
    [
      'a document with an unknown code',
      JSON.stringify({
        title: 'Rejected',
        status: 403,
        detail: 'Denied by policy.',
        problems: [{ code: 'brand-new' }],
      }),
      { title: 'Rejected', detail: 'Denied by policy.' },
    ],
  ])('%s is a failure with its status', async (_, raw, expected) => {
    server.replies = { deploy: () => ({ raw, status: 403 }) };
    const error = await failureOf(client().request('deploy', deployRequest));
    expect((error as RequestFailed).failure).toEqual({ type: 'about:blank', status: 403, ...expected });
  });

  test.each([
    [{ raw: 'hello', status: 200 }, 'did not respond with JSON'],
    [{ raw: '{"id": 4}', status: 200 }, 'sent an unexpected response at id'],
    [
      { raw: '', status: 302, headers: { location: 'http://elsewhere.example.com/' } },
      'status 302; check that the URL points to the submission service',
    ],
  ] as const)('an invalid response is an error: %j', async (reply, message) => {
    server.replies = { deployment: () => reply };
    const error = await failureOf(client().request('deployment', { params: { id } }));
    expect(error).toBeInstanceOf(ServiceUnreachable);
    expect(error.message).toContain(message);
    expect(server.requests).toHaveLength(1);
  });

  test('no error contains the token, whether a response echoes it or a header cannot hold it', async () => {
    const echo = `who is ${token}?`;
    server.replies = { deployment: () => ({ fails: 403, details: { title: echo, detail: echo } }) };
    const errors = [
      await failureOf(client().request('deployment', { params: { id } })),
      await failureOf(client({ token: () => `${token}\nx` }).request('deployment', { params: { id } })),
      await failureOf(client({ token: () => `${token}ü` }).request('deployment', { params: { id } })),
      await failureOf(client({ token: () => '' }).request('deployment', { params: { id } })),
    ];
    for (const error of errors)
      expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain(token);
    expect(errors.map(({ name }) => name)).toEqual(['RequestFailed', ...Array(3).fill('ServiceUnreachable')]);
  });
});

describe('retries', () => {
  test.each([
    ['connection loss', 'break'],
    ['429', { fails: 429 }],
    ['503', { fails: 503 }],
    ['a gateway without a backend', { raw: 'bad gateway', status: 502 }],
  ] as const)('a deployment is sent again under the same idempotency key after %s', async (_, reply) => {
    server.replies = { deploy: inTurn(reply, reply, { value: makeDeployment() }) };
    expect((await client().request('deploy', deployRequest)).id).toBe(id);
    expect(server.requests.map(({ key }) => key)).toEqual(Array(3).fill('key-of-this-run'));
    expect(waits).toEqual([187.5, 375]);
  });

  test('requests that must not be sent twice are not retried', async () => {
    server.replies = { approve: () => ({ fails: 503 }), cancel: () => 'break' };
    await failureOf(client().request('approve', { body: deployRequest.body }));
    await failureOf(client().request('cancel', { params: { id } }));
    expect(server.names).toEqual(['approve', 'cancel']);
  });

  test.each([400, 401, 403, 404, 409, 422, 500])('status %i is final', async (fails) => {
    server.replies = { deploy: () => ({ fails }) };
    expect(await failureOf(client().request('deploy', deployRequest))).toMatchObject({ failure: { status: fails } });
    expect(server.requests).toHaveLength(1);
  });

  test('the client waits at least as long as Retry-After requests', async () => {
    server.replies = { deploy: inTurn({ fails: 429, headers: { 'retry-after': '7' } }, { value: makeDeployment() }) };
    await client().request('deploy', deployRequest);
    expect(waits).toEqual([7125]);
  });

  test('a Retry-After beyond the timeout ends the request at once', async () => {
    server.replies = { deploy: () => ({ fails: 503, headers: { 'retry-after': '90' } }) };
    const error = await failureOf(
      client({ timeouts: { ...timeouts, total: 60_000 } }).request('deploy', deployRequest),
    );
    expect(error).toMatchObject({ retryAfter: 90_000, failure: { status: 503 } });
    expect(server.requests).toHaveLength(1);
  });

  test('the number of attempts is bounded', async () => {
    server.replies = { deployment: () => 'break' };
    expect(await failureOf(client().request('deployment', { params: { id } }))).toBeInstanceOf(ServiceUnreachable);
    expect(server.requests).toHaveLength(8);
    expect(waits).toEqual([187.5, 375, 750, 1500, 3000, 6000, 7500]);
  });

  test('a host name that does not resolve fails at once', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const error = await failureOf(
      client({ fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) }).request('me', {}),
    );
    const text = `cannot connect to ${server.url}: host not found; correct the URL`;
    expect([error.message, waits]).toEqual([text, []]);
  });

  test('a port that fetch blocks fails at once', async () => {
    const error = await failureOf(client({ server: 'http://127.0.0.1:1' }).request('me', {}));
    const text = 'cannot connect to http://127.0.0.1:1: the port is reserved for another protocol; correct the URL';
    expect([error.message, waits]).toEqual([text, []]);
  });

  test('a response that exceeds the timeout is aborted and requested again', async () => {
    let asked = 0;
    server.replies = {
      deployment: () => (asked++ === 0 ? new Promise<Reply>(() => undefined) : { value: makeDeployment() }),
    };
    const clientWithTimeout = client({ timeouts: { ...timeouts, attempt: 100_000 } });
    expect((await clientWithTimeout.request('deployment', { params: { id } })).id).toBe(id);
    expect(server.requests).toHaveLength(2);
  });

  test('the client reconnects to a service that restarts', async () => {
    server.replies = { deployment: () => ({ value: makeDeployment('ready') }) };
    await server.stop();
    const asked = client().request('deployment', { params: { id } });
    setTimeout(() => void server.start(), 3);
    expect((await asked).phase).toBe('ready');
  });

  test('the token is requested before each attempt', async () => {
    const tokens = ['old.token', token];
    server.replies = { deployment: () => ({ value: makeDeployment() }) };
    const changing = client({ token: () => tokens.shift() ?? '' });
    expect(await failureOf(changing.request('deployment', { params: { id } }))).toMatchObject({
      failure: { status: 401 },
    });
    expect((await changing.request('deployment', { params: { id } })).id).toBe(id);
  });

  test.each([
    ['5', 5000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 14:00:10 GMT', 10_000],
    ['Sat, 21 Nov 2026 13:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('Retry-After %j is %j milliseconds', (header, milliseconds) => {
    expect(parseRetryAfter(header, Date.UTC(2026, 10, 21, 14, 0, 0))).toBe(milliseconds);
  });
});

/** Writes chunks with a delay, so that each one is read separately. */
async function write(response: ServerResponse, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    if (!response.write(chunk)) await once(response, 'drain');
    await new Promise((done) => setImmediate(done));
  }
}

const follow = async (overrides: Partial<ClientOptions> = {}, after?: number): Promise<DeploymentEvent[]> => {
  const events: DeploymentEvent[] = [];
  for await (const event of client(overrides).follow(id, after === undefined ? {} : { after })) events.push(event);
  return events;
};

describe('follow', () => {
  const eventSequence = (length: number): DeploymentEvent[] =>
    Array.from({ length }, (_, index) =>
      makeEvent(index + 1, index + 1 === length ? 'ready' : 'progressing', { message: `№ ${index + 1} ✓ 🚀 "\\n"` }),
    );

  test('no event is lost or duplicated, regardless of where connections break and how bytes are chunked', async () => {
    const disconnect = fc.record({
      at: fc.nat({ max: 600 }),
      again: fc.nat({ max: 4 }),
      cut: fc.integer({ min: 1, max: 90 }),
    });
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(disconnect, { maxLength: 5 }),
      async (length, breaks) => {
        const events = eventSequence(length);
        const remaining = [...breaks];
        server.replies = {
          follow: ({ lastEventId }) => ({
            stream: async (response) => {
              const next = remaining.shift();
              // Some events are sent again, as after a write that the service did not see complete.
              const from = Math.max(0, Number(lastEventId ?? 0) - (next?.again ?? 0));
              const bytes = Buffer.from(`: hello\n\n${events.slice(from).map(frame).join('')}`);
              const sent = next ? bytes.subarray(0, next.at) : bytes;
              const size = next?.cut ?? 64;
              const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) =>
                sent.subarray(index * size, (index + 1) * size),
              );
              await write(response, chunks);
              if (next) response.destroy();
              else response.end();
            },
          }),
          deployment: () => ({ value: makeDeployment('progressing') }),
        };
        expect(await follow()).toEqual(events);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  test('continues while the service is unavailable, overloaded or restarting', async () => {
    const [first, second, third] = eventSequence(3);
    let turn = 0;
    server.replies = {
      follow: ({ lastEventId }) => {
        turn++;
        if (turn === 1)
          return {
            stream: (response) => void response.write(frame(first as DeploymentEvent), () => response.destroy()),
          };
        if (turn === 2) return { fails: 503, headers: { 'retry-after': '3' } };
        if (turn === 3) return 'break';
        if (turn === 4)
          return {
            stream: (response) => {
              response.write(frame(second as DeploymentEvent));
              setTimeout(() => void server.stop().then(() => setTimeout(() => void server.start(), 5)), 20);
            },
          };
        expect(lastEventId).toBe('2');
        return { stream: (response) => void response.end(frame(third as DeploymentEvent)) };
      },
    };
    expect((await follow()).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(server.requests.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '1', '1', '1', '2']);
    expect(waits[1]).toBeGreaterThanOrEqual(3000);
  });

  test('starts after the given event', async () => {
    server.replies = {
      follow: () => ({ stream: (response) => void response.end(eventSequence(3).map(frame).join('')) }),
    };
    expect((await follow({}, 2)).map(({ number }) => number)).toEqual([3]);
    expect(server.requests[0]?.lastEventId).toBe('2');
  });

  test('returns no more events for a deployment that has ended', async () => {
    server.replies = {
      follow: () => ({ stream: (response) => void response.end() }),
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    expect(await follow({}, 3)).toEqual([]);
  });

  test('stops when the stream reports that it is complete and the deployment has ended', async () => {
    server.replies = {
      follow: () => ({ stream: (response) => void response.end('event: end\ndata: {}\n\n') }),
      deployment: inTurn({ value: makeDeployment('progressing') }, { value: makeDeployment('ready') }),
    };
    expect(await follow({}, 3)).toEqual([]);
    expect(server.names).toEqual(['follow', 'deployment', 'follow', 'deployment']);
  });

  test('ignores unknown event types of a newer service', async () => {
    const text = `event: weather\ndata: fine\n\n${eventSequence(1).map(frame).join('')}`;
    server.replies = { follow: () => ({ stream: (response) => void response.end(text) }) };
    expect(await follow()).toEqual(eventSequence(1));
  });

  const failing = (status: number) =>
    `event: failure\ndata: ${JSON.stringify({ type: 'about:blank', title: token, status })}\n\n`;

  test.each([500, 503])('reconnects to a service that fails with %i in the middle of a stream', async (status) => {
    const events = eventSequence(2).map(frame);
    let turn = 0;
    server.replies = {
      follow: () => ({
        stream: (response) => void response.end(turn++ === 0 ? events[0] + failing(status) : events[1]),
      }),
    };
    expect(await follow()).toHaveLength(2);
  });

  test('ends when authorization is lost in the middle of a stream', async () => {
    server.replies = {
      follow: () => ({ stream: (response) => void response.end(frame(makeEvent(1, 'progressing')) + failing(403)) }),
    };
    const error = await failureOf(follow());
    expect(error).toMatchObject({ failure: { status: 403, title: '(token)' } });
  });

  test('requests a missing event once more, and then skips it', async () => {
    const [first, , third] = eventSequence(3);
    const text = [first, third].map((event) => frame(event as DeploymentEvent)).join('');
    server.replies = { follow: () => ({ stream: (response) => void response.end(text) }) };
    expect((await follow()).map(({ number }) => number)).toEqual([1, 3]);
    expect(server.requests.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '1']);
  });

  test('waits for the delay that the stream requests', async () => {
    const events = eventSequence(2);
    server.replies = {
      follow: ({ lastEventId }) => ({
        stream: (response) =>
          void response.write(`retry: 5000\n${frame(events[Number(lastEventId ?? 0)] as DeploymentEvent)}`, () =>
            response.destroy(),
          ),
      }),
      deployment: () => ({ value: makeDeployment('progressing') }),
    };
    expect(await follow()).toEqual(events);
    expect(waits).toEqual([5125]);
  });

  test('treats a silent connection as lost; comments keep it alive', async () => {
    const [first, second] = eventSequence(2);
    let turn = 0;
    server.replies = {
      follow: () => ({
        stream: async (response) => {
          if (turn++ > 0) return void response.end(frame(second as DeploymentEvent));
          response.write(frame(first as DeploymentEvent));
          for (let count = 0; count < 8; count++) {
            await new Promise((done) => setTimeout(done, 50));
            response.write(': still here\n\n');
          }
        },
      }),
    };
    const startedAt = performance.now();
    expect(await follow({ timeouts: { ...timeouts, idle: 300_000 } })).toHaveLength(2);
    expect([server.requests.length, performance.now() - startedAt >= 400]).toEqual([2, true]);
  });

  test.each([401, 403, 404])('ends with status %i', async (fails) => {
    server.replies = { follow: () => ({ fails }) };
    expect(await failureOf(follow())).toMatchObject({ failure: { status: fails } });
  });

  test("ends on a signal at any point, with the signal's reason, and closes the connection", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    server.replies = {
      follow: () => ({
        stream: (response) => {
          closed = once(response, 'close');
          response.write(frame(makeEvent(1, 'progressing')));
        },
      }),
    };
    const stop = new AbortController();
    const read = async () => {
      for await (const _ of client().follow(id, { signal: stop.signal })) stop.abort(new Error('enough'));
    };
    expect((await failureOf(read())).message).toBe('enough');
    await closed;
  });
});

describe('changes', () => {
  test('each connection gets the current state first, then changes; unknown event types are ignored', async () => {
    let turn = 0;
    const gone = { type: 'projectGone', project: { name: 'shop', target: 'prod-1' } } as const;
    const changed = { type: 'workload', workload: makeWorkload('cart') } as const;
    server.replies = {
      changes: ({ query }) => {
        expect(query).toEqual({ project: 'shop' });
        const text = turn++ === 0 ? `${frame(changed)}data: {"type":"weather"}\n\n` : frame(gone);
        return { stream: (response) => void response.end(text) };
      },
    };
    const received: WatchMessage[] = [];
    const stop = new AbortController();
    for await (const change of client().changes({ project: 'shop' }, stop.signal)) {
      received.push(change);
      if (change.type === 'projectGone') break;
    }
    expect(received).toEqual([{ type: 'connected' }, changed, { type: 'connected' }, gone]);
  });
});
