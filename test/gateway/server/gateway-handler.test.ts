import { Registry } from 'prom-client';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import { Rbac } from '../../../lib/gateway/authorization/rbac';
import { type RbacMirror } from '../../../lib/gateway/authorization/rbac-mirror';
import { cachedObject } from '../../../lib/gateway/cache/cached-object';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { FlowControl } from '../../../lib/gateway/flow-control/flow-control';
import { defaultFlowPolicyFacts, type FlowPolicyFacts } from '../../../lib/gateway/flow-control/flow-policy';
import { type DeletedIdentities } from '../../../lib/gateway/identity/deleted-identities';
import { TokenReviews } from '../../../lib/gateway/identity/token-reviews';
import { GatewayMetrics } from '../../../lib/gateway/metrics/gateway-metrics';
import { GatewayHandler } from '../../../lib/gateway/server/gateway-handler';
import { Upstream } from '../../../lib/gateway/upstream/upstream';
import { type Clock, connect, type KubeClient } from '../../../lib/kube';
import { realClock } from '../../kube/real-clock';
import { tokenWith } from '../identity/token-with';

const audience = 'pinion-gateway';
const pods = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
  selectableFields: ['metadata.name', 'metadata.namespace'],
};
const token = tokenWith({ aud: [audience] });
const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const roles = [{ namespace: undefined, name: 'all', rules: [rule] }];
const bindings = [
  { namespace: undefined, role: { kind: 'ClusterRole', name: 'all' }, subjects: [{ kind: 'User', name: 'ann' }] },
];
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
const until = async (condition: () => boolean, milliseconds = 3_000): Promise<void> => {
  const end = Date.now() + milliseconds;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a gateway', () => {
  let reviews = 0;
  /** Resolves when the API server may answer reviews. */
  let mayReview: Promise<void>;
  let apiServer: Server;
  let gateway: Server;
  let client: KubeClient;
  let upstream: Upstream;
  let handler: GatewayHandler;
  let registry: Registry;
  let facts: FlowPolicyFacts;
  let flow: FlowControl;
  let cache: ObjectCache;
  let rbac: Rbac;
  let rolesChanged: () => void;
  let rolesAreRecent: boolean;
  /** Listeners to the errors of connections to be upgraded, when their requests had come. */
  const listeners: number[] = [];
  const open: IncomingMessage[] = [];
  /** Sets the timers of the gateway. */
  let after: Clock['after'];
  let onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  beforeEach(async () => {
    [reviews, mayReview, open.length, listeners.length] = [0, Promise.resolve(), 0, 0];
    apiServer = createServer((request, response) => {
      if (request.url !== '/apis/authentication.k8s.io/v1/tokenreviews') {
        // A watch without events.
        open.push(request);
        request.once('close', () => open.splice(open.indexOf(request), 1));
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        if (request.url === '/api/v1/namespaces/a/pods/b/log') response.end('x'.repeat(100_000));
        return;
      }
      reviews += 1;
      const status = { authenticated: true, audiences: [audience], user: { username: 'ann' } };
      void mayReview.then(() =>
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ status })),
      );
    });
    const settings = {
      server: `http://127.0.0.1:${await listening(apiServer)}`,
      namespace: 'default',
      credential: () => Promise.resolve({ token: 'of-the-gateway' }),
    };
    client = connect(settings, { clock: realClock, userAgent: 'test', rate: { qps: 1_000, burst: 1_000 } });
    upstream = new Upstream(settings, realClock);
    cache = new ObjectCache(pods, { events: 100, bytes: 1_000_000 });
    cache.replace([], 10);
    cache.noteContact(realClock.now());
    rbac = new Rbac(roles, bindings);
    rolesAreRecent = true;
    const mirror = {
      get current() {
        return rbac;
      },
      onChange: (listener: () => void) => {
        rolesChanged = listener;
        return () => undefined;
      },
      isRecent: () => rolesAreRecent,
    };
    after = (milliseconds, callback) => realClock.after(milliseconds, callback);
    registry = new Registry();
    facts = defaultFlowPolicyFacts;
    flow = new FlowControl({ clock: realClock, facts: () => facts });
    handler = new GatewayHandler({
      boundOf: () => undefined,
      metrics: new GatewayMetrics(registry),
      flow,
      upstream,
      clock: { ...realClock, after: (milliseconds, callback) => after(milliseconds, callback) },
      tokens: new TokenReviews(client, audience, realClock),
      deleted: { includes: () => false, onDeletion: () => () => undefined } as unknown as DeletedIdentities,
      rbac: mirror as unknown as RbacMirror,
      cacheOf: (_group, _version, plural) => (plural === 'pods' ? cache : undefined),
      onError: () => undefined,
    });
    handler.start();
    onRequest = (request, response) => handler.onRequest(request, response);
    gateway = createServer((request, response) => void onRequest(request, response));
    gateway.on('upgrade', (request, socket, head) => {
      void handler.onUpgrade(request, socket, head);
      listeners.push(socket.listenerCount('error'));
    });
    await listening(gateway);
  });
  afterEach(async () => {
    handler.stop();
    upstream.close();
    client.close();
    for (const server of [gateway, apiServer]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const dial = (bytes: string): Socket => {
    const socket = connectSocket((gateway.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
    return socket.on('error', () => undefined).resume();
  };
  const head = (path: string, more = ''): string =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`;
  test('keeps nothing open for a client that leaves during its review', async () => {
    let answer = (): void => undefined;
    mayReview = new Promise((resolve) => (answer = resolve));
    let left: ServerResponse | undefined;
    onRequest = (request, response) => handler.onRequest(request, (left = response));
    const socket = dial(head('/api/v1/nodes?watch=true'));
    await until(() => reviews === 1);
    socket.destroy();
    await until(() => left?.destroyed === true);
    answer();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(open).toHaveLength(0);
    // Whatever is still held open is ended when roles change.
    const ended = left && jest.spyOn(left, 'destroy');
    rbac = new Rbac([], []);
    rolesChanged();
    expect(ended).not.toHaveBeenCalled();
  });

  test('ends the watches of a client that sent several requests at once, when it leaves', async () => {
    const socket = dial(head('/api/v1/pods?watch=true&resourceVersion=0').repeat(3));
    await until(() => cache.watches === 3);
    socket.destroy();
    await until(() => cache.watches === 0, 500);
    expect(cache.watches).toBe(0);
  });

  test('ends passed-on watches of a client that sent several requests at once, when it leaves', async () => {
    const socket = dial(head('/api/v1/nodes?watch=true').repeat(3));
    await until(() => open.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await until(() => open.length === 0, 500);
    expect(open).toHaveLength(0);
  });

  test('ends a watch whose role went while it waited for its version', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const socket = dial(head(`/api/v1/pods?${query}&resourceVersion=11`));
    const answered = new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(data.toString())));
    await until(() => reviews === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    rbac = new Rbac([], []);
    rolesChanged();
    cache.advance(11);
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 500))]);
    rolesChanged();
    await until(() => cache.watches === 0, 500);
    expect(cache.watches).toBe(0);
  });

  test('roles that may be outdated decide nothing: reads are passed on, and watches of caches end', async () => {
    dial(head('/api/v1/pods?watch=true&resourceVersion=0'));
    dial(head('/api/v1/nodes?watch=true'));
    await until(() => cache.watches === 1 && open.length === 1);
    rolesAreRecent = false;
    dial(head('/api/v1/pods?resourceVersion=0'));
    await until(() => open.length === 2);
    expect(open.map(({ url }) => url)).toEqual(['/api/v1/nodes?watch=true', '/api/v1/pods?resourceVersion=0']);
    await until(() => cache.watches === 0, 8_000);
    expect(cache.watches).toBe(0);
    // The API server has allowed it.
    expect(open).toHaveLength(2);
    expect(await samplesOf('uncached_reads_total')).toContainEqual({
      resource: 'other',
      reason: 'stale-roles',
      value: 1,
    });
    expect(await samplesOf('ended_requests_total')).toEqual([{ cause: 'stale-roles', value: 1 }]);
  }, 15_000);

  test('watches the errors of a connection to be upgraded before it asks anybody', async () => {
    dial(head('/api/v1/namespaces/a/pods/b/exec', 'connection: upgrade\r\nupgrade: websocket\r\n'));
    await until(() => listeners.length === 1);
    // Without one, a reset connection ends the process.
    expect(listeners[0]).toBeGreaterThan(0);
  });

  test('a watched list that is larger than the bound of slow clients reaches a client that reads', async () => {
    const object = (index: number, version: number): ReturnType<typeof cachedObject> =>
      cachedObject(
        Buffer.from(
          JSON.stringify({
            kind: 'Pod',
            apiVersion: 'v1',
            metadata: { name: `pod-${index}`, namespace: 'a', uid: `${index}`, resourceVersion: `${version}` },
            padding: 'x'.repeat(10_000),
          }),
        ),
        pods,
      );
    cache.replace(
      Array.from({ length: 3_000 }, (_, index) => object(index, 20)),
      20,
    );
    let bytes = 0;
    let isClosed = false;
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const socket = dial(head(`/api/v1/pods?${query}`));
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).once('close', () => (isClosed = true));
    await until(() => cache.watches === 1);
    const changed = object(1, 21);
    cache.apply('MODIFIED', changed, Buffer.from(`{"type":"MODIFIED","object":${changed.json.toString()}}\n`));
    await until(() => bytes > 30_000_000 || isClosed);
    expect({ isClosed, isWhole: bytes > 30_000_000 }).toEqual({ isClosed: false, isWhole: true });
    socket.destroy();
  });

  const samplesOf = async (name: string): Promise<unknown[]> => {
    const values = (await registry.getSingleMetric(`pinion_gateway_${name}`)?.get())?.values ?? [];
    return values.map(({ labels, value }) => ({ ...labels, value }));
  };

  test('counts requests, bytes and open watches by client', async () => {
    const agent = 'user-agent: kubectl/v1.36.3 (linux/amd64)\r\n';
    const client = { project: '', account: 'ann', user_agent: 'kubectl' };
    const of = (verb: string, served_from: string): object => ({ ...client, resource: 'pods', verb, served_from });
    const socket = dial(
      head('/api/v1/pods?resourceVersion=0', agent) + head('/api/v1/pods?watch=1&resourceVersion=0', agent),
    );
    await until(() => cache.watches === 1);
    expect(await samplesOf('open_watches')).toEqual([{ ...client, resource: 'pods', served_from: 'cache', value: 1 }]);
    expect(await samplesOf('requests_total')).toEqual([{ ...of('list', 'cache'), code: 200, value: 1 }]);
    const frame = `{"type":"ADDED","object":${'x'.repeat(10_000)}}\n`;
    const bytesBefore = await samplesOf('response_bytes_total');
    const json = Buffer.from('{"metadata":{"name":"a","namespace":"b","uid":"1","resourceVersion":"11"}}');
    cache.apply('ADDED', cachedObject(json, pods), Buffer.from(frame));
    // Counted while the watch is open.
    const bytes = (samples: readonly unknown[]): number =>
      (samples as { readonly verb: string; readonly value: number }[]).find(({ verb }) => verb === 'watch')?.value ?? 0;
    expect(bytes(await samplesOf('response_bytes_total')) - bytes(bytesBefore)).toBeGreaterThan(10_000);
    socket.destroy();
    await until(() => cache.watches === 0);
    expect(await samplesOf('open_watches')).toEqual([expect.objectContaining({ value: 0 })]);
    // A watch lasts as long as its client wants.
    expect(await samplesOf('request_seconds_total')).toEqual([expect.objectContaining(of('list', 'cache'))]);
  });

  test('counts reads that are passed on, by reason, and those without a token', async () => {
    rbac = new Rbac([], []);
    dial(head('/api/v1/pods?resourceVersion=0'));
    await until(() => open.length === 1);
    dial(head('/api/v1/pods'));
    await until(() => open.length === 2);
    dial('GET /api/v1/pods HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => reviews > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await samplesOf('unauthorized_reads_total')).toEqual([
      { project: '', account: 'ann', user_agent: '', resource: 'other', verb: 'list', value: 1 },
    ]);
    expect(await samplesOf('uncached_reads_total')).toEqual([{ resource: 'other', reason: 'unversioned', value: 1 }]);
    expect(await samplesOf('requests_total')).toEqual([expect.objectContaining({ account: '', code: 401, value: 1 })]);
    expect(await samplesOf('token_reviews_total')).toEqual([{ result: 'accepted', value: 2 }]);
  });

  test('rejects reads beyond a budget with 429, and no write', async () => {
    const budget = { requestsPerSecond: 1, concurrentRequests: 10, bytesPerSecond: 1_000_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    const answers: string[] = [];
    const ask = (bytes: string): Promise<void> =>
      new Promise((resolve) => {
        dial(bytes).once('data', (data: Buffer) => {
          answers.push(data.toString());
          resolve();
        });
      });
    for (let index = 0; index < 3; index++) await ask(head('/api/v1/pods?resourceVersion=0'));
    await ask(
      `POST /api/v1/namespaces/a/pods HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(answers.map((text) => text.slice(9, 12))).toEqual(['200', '200', '429', '200']);
    expect(answers[2]).toContain('retry-after: 1\r\n');
    expect(answers[2]).toContain('"reason":"TooManyRequests","details":{"retryAfterSeconds":1},"code":429}');
    expect(await samplesOf('rejected_requests_total')).toEqual([
      {
        ...{ project: '', account: 'ann', user_agent: '', level: 'users', scope: 'user', limit: 'requestsPerSecond' },
        value: 1,
      },
    ]);
  });

  test('a selector that matches nothing costs the objects that it was compared with', async () => {
    const budget = { requestsPerSecond: 100, concurrentRequests: 10, bytesPerSecond: 1_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    const metadata = { name: 'a', namespace: 'a', uid: '1', resourceVersion: '20' };
    const json = Buffer.from(JSON.stringify({ metadata, padding: 'x'.repeat(100_000) }));
    cache.replace([cachedObject(json, pods)], 20);
    const answers: string[] = [];
    for (let index = 1; index <= 2; index++) {
      const socket = dial(head('/api/v1/pods?resourceVersion=0&labelSelector=a%3Db', 'connection: close\r\n'));
      socket.once('data', (data: Buffer) => answers.push(data.toString().slice(9, 12)));
      await until(() => answers.length === index && socket.closed);
    }
    expect(answers).toEqual(['200', '429']);
  });

  test('a log that is passed on costs its bytes', async () => {
    const budget = { requestsPerSecond: 100, concurrentRequests: 10, bytesPerSecond: 1_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    const answers: string[] = [];
    for (let index = 1; index <= 2; index++) {
      const socket = dial(head('/api/v1/namespaces/a/pods/b/log', 'connection: close\r\n'));
      socket.once('data', (data: Buffer) => answers.push(data.toString().slice(9, 12)));
      await until(() => socket.closed);
    }
    expect(answers).toEqual(['200', '429']);
  });

  test('a header that asks for an upgrade avoids no budget, except for shells and forwarded ports', async () => {
    const budget = { requestsPerSecond: 1, concurrentRequests: 10, bytesPerSecond: 1_000_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    const answers: string[] = [];
    const ask = async (path: string): Promise<void> => {
      const socket = dial(head(path, 'connection: upgrade\r\nupgrade: websocket\r\n'));
      socket.once('data', (data: Buffer) => answers.push(data.toString()));
      const count = answers.length + 1;
      await until(() => answers.length === count);
      socket.destroy();
    };
    for (let index = 0; index < 3; index++) await ask('/api/v1/nodes?watch=true');
    await ask('/api/v1/namespaces/a/pods/b/exec');
    expect(answers.map((text) => text.slice(9, 12))).toEqual(['200', '200', '429', '200']);
    expect(answers[2]).toContain('retry-after: 1\r\n');
    expect(await samplesOf('rejected_requests_total')).toEqual([expect.objectContaining({ scope: 'user', value: 1 })]);
  });

  describe('a client that does not heed rejections', () => {
    const caller = { user: 'ann', groups: [], extra: {} };
    /** Delays that are not over. */
    let held: (() => void)[];

    beforeEach(() => {
      const budget = { requestsPerSecond: 10, concurrentRequests: 1, bytesPerSecond: 1_000_000 };
      facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
      const admitted = flow.admit(caller);
      for (let count = 0; count < 100; count++) expect(flow.admit(caller)).toHaveProperty('status');
      if ('end' in admitted) admitted.end(0);
      held = [];
      after = (_milliseconds, callback) => {
        held.push(callback);
        return () => held.splice(held.indexOf(callback), 1);
      };
    });
    const upgrade = (): Socket => {
      flow.admit(caller);
      return dial(head('/api/v1/nodes?watch=true', 'connection: upgrade\r\nupgrade: websocket\r\n'));
    };

    test('whose upgrade is rejected is answered when it is due', async () => {
      const answers: string[] = [];
      upgrade().on('data', (data: Buffer) => answers.push(data.toString()));
      await until(() => held.length === 1 || answers.length > 0);
      expect([held.length, answers]).toEqual([1, []]);
      held[0]?.();
      await until(() => answers.length > 0);
      expect(answers[0]?.slice(9, 12)).toBe('429');
    });

    test.each(['end', 'destroy'] as const)('whose upgrade is rejected may leave before (%s)', async (leave) => {
      const socket = upgrade();
      await until(() => held.length === 1);
      expect(held).toHaveLength(1);
      socket[leave]();
      await until(() => held.length === 0);
      expect(held).toHaveLength(0);
      expect(await samplesOf('requests_total')).toEqual([expect.objectContaining({ code: 499, value: 1 })]);
    });

    test('whose upgrade is rejected does not outlast the gateway', async () => {
      const socket = upgrade();
      await until(() => held.length === 1);
      expect(held).toHaveLength(1);
      handler.stop();
      await until(() => socket.closed);
      expect(socket.closed).toBe(true);
    });

    test('whose read got no seats does not count as in progress until that is answered', async () => {
      const bob = flow.admitUncounted({ ...caller, user: 'bob' });
      const seats = Array.from({ length: 1_001 }, (_, index) => bob.seat(index === 0 ? 50 : 1));
      expect(flow.levels.users).toMatchObject({ inUse: 50, waiting: 1_000 });
      const answers: string[] = [];
      dial(head('/api/v1/pods?resourceVersion=0')).on('data', (data: Buffer) => answers.push(data.toString()));
      await until(() => held.length === 1);
      expect([held.length, answers]).toEqual([1, []]);
      expect(flow.admit(caller)).not.toHaveProperty('status');
      held[0]?.();
      await until(() => answers.length > 0);
      expect(answers[0]).toContain('the gateway is busy with other requests of the level \\"users\\"');
      for (const seat of seats) {
        const release = await seat;
        if (typeof release === 'function') release();
      }
      expect(flow.levels.users).toMatchObject({ inUse: 0, waiting: 0 });
    });
  });

  test('rejects watches beyond those that an account may have open, until one is closed', async () => {
    const budget = { requestsPerSecond: 10_000, concurrentRequests: 10_000, bytesPerSecond: 1_000_000_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    const caller = { user: 'ann', groups: [], extra: {} };
    for (let count = 2; count < 1_000; count++) expect(flow.admitWatch(caller)).toBeInstanceOf(Function);
    const first = dial(head('/api/v1/pods?watch=true&resourceVersion=0'));
    await until(() => cache.watches === 1);
    dial(head('/api/v1/nodes?watch=true'));
    await until(() => open.length === 1);
    const ask = (): Promise<string> =>
      new Promise((resolve) => {
        const socket = dial(head('/api/v1/pods?watch=true&resourceVersion=0'));
        socket.once('data', (data: Buffer) => resolve(data.toString()));
      });
    const rejected = await ask();
    expect(rejected).toContain('429');
    expect(rejected).toContain('retry-after: 10\r\n');
    first.destroy();
    await until(() => cache.watches === 0);
    expect((await ask()).slice(9, 12)).toBe('200');
  });

  test('a watch counts as in progress at its start only', async () => {
    const budget = { requestsPerSecond: 100, concurrentRequests: 1, bytesPerSecond: 1_000_000 };
    facts = { ...facts, default: { project: budget, serviceAccount: budget, user: budget } };
    for (let index = 1; index <= 3; index++) {
      dial(head('/api/v1/pods?watch=true&resourceVersion=0'));
      await until(() => cache.watches === index);
      dial(head('/api/v1/nodes?watch=true'));
      await until(() => open.length === index);
    }
    expect([cache.watches, open.length]).toEqual([3, 3]);
  });
});
