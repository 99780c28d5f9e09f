import { type Log, resourceOf } from '../../lib/client';
import { LeaderElectionLostError, Manager, TypedController } from '../../lib/controller-runtime';
import { ManualClock } from '../kube/manual-clock';
import { type ScriptedServer, sendJson, sendStatus, startServer } from '../kube/scripted-server';

const silent = (): void => undefined;
const log: Log = { debug: silent, info: silent, warn: silent, error: silent };
const key = { name: 'a', namespace: 'shop' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key, uid: 'u', resourceVersion: '1' } };
interface Lease {
  readonly metadata: { readonly uid?: string; readonly resourceVersion?: string };
  readonly spec: { readonly holderIdentity: string };
}

/** An API server that stores a Lease, and accepts all other writes. */
class LeaseServer {
  lease: Lease | undefined;
  readonly writes: string[] = [];
  #version = 0;
  #server: ScriptedServer | undefined;

  async start(): Promise<string> {
    this.#server = await startServer(({ method, url, body }, response) => {
      if (!url.includes('/leases')) {
        this.writes.push(`${method} ${url.split('?')[0]}`);
        sendJson(response, 200, object);
      } else if (method !== 'GET' && this.lease && this.#isOutdated(JSON.parse(body) as Lease)) {
        sendStatus(response, 409, 'Conflict');
      } else if (method !== 'GET') {
        this.lease = this.#store(JSON.parse(body) as Lease);
        sendJson(response, 200, this.lease);
      } else if (this.lease) sendJson(response, 200, this.lease);
      else sendStatus(response, 404, 'NotFound');
    });
    return this.#server.url;
  }

  #isOutdated({ metadata }: Lease): boolean {
    return metadata.resourceVersion !== this.lease?.metadata.resourceVersion;
  }

  /** Stores a Lease, and records a write that releases it. */
  #store(lease: Lease): Lease {
    if (lease.spec.holderIdentity === '') this.writes.push('release');
    return { ...lease, metadata: { ...lease.metadata, uid: 'l', resourceVersion: `${++this.#version}` } };
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

let server: LeaseServer;
beforeEach(() => void (server = new LeaseServer()));
afterEach(() => server.close());

/** A manager with a lease and one reconcile, which waits for `finish`. */
async function startManager() {
  const clock = new ManualClock();
  const connection = { server: await server.start(), namespace: 'shop', credential: () => Promise.resolve({}) };
  const leaderElection = { namespace: 'shop', name: 'widgets' };
  const manager = new Manager(connection, { userAgent: 'widgets/1', log, clock, leaderElection, identity: 'one' });
  const recorder = manager.eventRecorderFor('widgets');
  let finish = silent;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let isReconciling = false;
  const reconcile = async (): Promise<undefined> => {
    isReconciling = true;
    await finished;
    await manager.apiClient.patch(resourceOf('ConfigMap'), key, { data: { state: 'done' } });
    recorder.event(object, { type: 'Normal', reason: 'Done', message: 'the reconcile is done' });
  };
  const { metrics } = manager;
  manager.add(new TypedController({ name: 'widgets', clock, log, metrics, reconcile, keys: () => ['shop/a'] }));
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  while (!isReconciling) await clock.advance(10);
  return { manager, clock, stop, ended, finish };
}

test('a reconcile in progress writes and records its event during shutdown, before the lease is released', async () => {
  const { manager, clock, stop, ended, finish } = await startManager();
  stop.abort();
  await clock.advance(1_000);
  expect([manager.isLeading(), server.lease?.spec.holderIdentity]).toEqual([true, 'one']);
  finish();
  await ended;
  expect(server.writes).toEqual([
    'PATCH /api/v1/namespaces/shop/configmaps/a',
    'POST /api/v1/namespaces/shop/events',
    'release',
  ]);
  expect(manager.isLeading()).toBe(false);
});

describe('a reconcile that hangs', () => {
  /** Advances the clock until a promise has settled, at most for some milliseconds; returns its result. */
  const outcomeWithin = async (clock: ManualClock, milliseconds: number, promise: Promise<void>): Promise<unknown> => {
    let outcome: unknown = 'pending';
    void promise.then(
      () => (outcome = 'stopped'),
      (error: unknown) => (outcome = error),
    );
    for (let passed = 0; outcome === 'pending' && passed < milliseconds; passed += 100) {
      await clock.advance(100);
      // Answers of the server take real time.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return outcome;
  };

  test('does not keep a process alive that has lost its lease', async () => {
    const { manager, clock, ended } = await startManager();
    const held = server.lease as Lease;
    server.lease = {
      metadata: { ...held.metadata, resourceVersion: 'x' },
      spec: { ...held.spec, holderIdentity: 'two' },
    };
    expect(await outcomeWithin(clock, 15_000, ended)).toBeInstanceOf(LeaderElectionLostError);
    expect(manager.isLeading()).toBe(false);
    expect(server.writes).toEqual([]);
  });

  test('has 30 seconds on shutdown, then the process ends with an error', async () => {
    const { clock, stop, ended } = await startManager();
    stop.abort();
    expect(await outcomeWithin(clock, 25_000, ended)).toBe('pending');
    expect(await outcomeWithin(clock, 20_000, ended)).toMatchObject({
      message: expect.stringContaining('did not end within 30 seconds'),
    });
    // The lease expires instead, since a write may still be under way.
    expect(server.writes).toEqual([]);
  });
});
