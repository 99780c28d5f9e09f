import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { waitFor } from '../control-plane/wait-for';
import { App, RegistrarProcess } from '../zookeeper/registrar-process';
import { endSession, withClient } from '../zookeeper/second-client';
import { TreeObserver, type Sample } from '../zookeeper/tree-observer';
import { freePort, reasonWithoutZookeeper, ZookeeperServer } from '../zookeeper/zookeeper-server';

const reason = reasonWithoutZookeeper();
const title = 'the traffic registrar with a real ZooKeeper';
if (reason) describe.skip(`${title} (skipped: ${reason})`, () => define());
else describe(title, define);

/** ZooKeeper session timeout of the tests, in milliseconds. */
const sessionTimeout = 2_000;
const uid = '0b9e8a0c-6d0f-4c5e-9f65-2b1a3c4d5e6f';
const folder = '/pinion/services/shop/ads';
const member = `member_${uid}`;
const onlyMember: Sample = { names: [member] };

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const responses = (samples: readonly Sample[]): readonly Sample[] => samples.filter(({ names }) => names !== undefined);
/** Returns samples that do not show exactly the one entry. */
const gaps = (samples: readonly Sample[]): readonly Sample[] =>
  responses(samples).filter(({ names }) => names?.length !== 1 || names[0] !== member);
const maxEntries = (samples: readonly Sample[]): number =>
  Math.max(0, ...samples.map(({ names }) => names?.length ?? 0));

function define(): void {
  let zookeeper: ZookeeperServer;
  let app: App;
  let observer: TreeObserver;
  let registrars: RegistrarProcess[] = [];

  beforeEach(async () => {
    zookeeper = await ZookeeperServer.start();
    app = await App.start();
    observer = new TreeObserver(zookeeper.ensemble, folder);
  });
  afterEach(async () => {
    for (const registrar of registrars) {
      registrar.signal('SIGCONT');
      await registrar.kill();
    }
    registrars = [];
    app.stop();
    await observer.stop();
    await zookeeper.stop();
  });

  const startRegistrar = async (overrides: Readonly<Record<string, string>> = {}): Promise<RegistrarProcess> => {
    const registrar = await RegistrarProcess.start({
      ZOOKEEPER: zookeeper.ensemble,
      REGION: 'us-east-1',
      SERVICE_PORT: String(app.port),
      READINESS_PATH: '/healthz',
      READINESS_PERIOD_SECONDS: '0.1',
      // The period is also the timeout of a probe: on a busy machine this process, which is the app, misses several.
      UNREADY_AFTER: '30',
      SESSION_TIMEOUT_SECONDS: String(sessionTimeout / 1000),
      LOG_LEVEL: 'debug',
      PINION_PROJECT: 'shop',
      PINION_WORKLOAD: 'ads',
      PINION_KIND: 'PinterestStatefulSet',
      PINION_VERSION: '2.7.0',
      PINION_CLUSTER: 'use1-prod',
      PINION_NODE: 'node-7',
      PINION_POD: 'ads-3',
      PINION_POD_ADDRESS: '127.0.0.1',
      PINION_POD_UID: uid,
      ...overrides,
    });
    registrars.push(registrar);
    return registrar;
  };
  const ownerNow = async (): Promise<bigint> => (await observer.members(1))[0]?.owner ?? 0n;

  test('registers the pod only after its app is ready', async () => {
    app.status = 503;
    const registrar = await startRegistrar();
    const samples = await observer.during(() => app.waitForRequests(5));
    expect(maxEntries(samples)).toBe(0);
    app.status = 200;
    expect(await observer.members(1)).toEqual([
      {
        name: member,
        owner: expect.any(BigInt) as unknown,
        data: {
          serviceEndpoint: { host: '127.0.0.1', port: app.port },
          additionalEndpoints: {},
          status: 'ALIVE',
          shard: 3,
          metadata: {
            project: 'shop',
            workload: 'ads',
            uid,
            pod: 'ads-3',
            kind: 'PinterestStatefulSet',
            version: '2.7.0',
            cluster: 'use1-prod',
            node: 'node-7',
            region: 'us-east-1',
          },
        },
      },
    ]);
    expect(await ownerNow()).not.toBe(0n);
    expect(await registrar.status('/ready')).toBe(200);
    expect(await registrar.metric('registered')).toBe(1);
  });

  test('tolerates a failed probe, and withdraws the entry while the app stays unready', async () => {
    await startRegistrar();
    await observer.members(1);
    const failedProbe = await observer.during(async () => {
      app.status = 503;
      await app.waitForRequests(1);
      app.status = 200;
      await app.waitForRequests(5);
    });
    expect(gaps(failedProbe)).toEqual([]);
    app.status = 503;
    await observer.members(0);
    app.status = 200;
    await observer.members(1);
  });

  test('moves the entry to the new session without a gap after a kill and restart', async () => {
    const first = await startRegistrar();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await first.kill();
      const second = await startRegistrar();
      await waitFor('the new session to own the entry', async () => (await ownerNow()) !== owner);
      await pause(2 * sessionTimeout);
      expect(await second.metric('entries_replaced_total')).toBe(1);
    });
    expect(gaps(samples)).toEqual([]);
    expect(samples.length).toBeGreaterThan(100);
  });

  test('leaves no entry after its session expires when it is killed', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    await registrar.kill();
    await observer.members(0);
  });

  test('keeps its session without a gap when ZooKeeper is killed and restarted', async () => {
    const registrar = await startRegistrar();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await zookeeper.kill();
      await pause(sessionTimeout / 2);
      await zookeeper.restart();
      await observer.waitForReads(100);
      await waitFor('the registrar to reconnect', async () => (await registrar.metric('connected')) === 1);
      await pause(sessionTimeout + 1_000);
    });
    expect(gaps(samples)).toEqual([]);
    expect(await ownerNow()).toBe(owner);
    expect(await registrar.metric('connections_lost_total')).toBeGreaterThan(0);
  });

  test('keeps the entry during a short pause of ZooKeeper', async () => {
    await startRegistrar();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      zookeeper.pause(true);
      await pause(sessionTimeout / 4);
      zookeeper.pause(false);
      await observer.waitForReads(100);
    });
    expect(gaps(samples)).toEqual([]);
    expect(await ownerNow()).toBe(owner);
  });

  test('reconnects with one entry after ZooKeeper hangs longer than the session', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    const samples = await observer.during(async () => {
      zookeeper.pause(true);
      await waitFor('the registrar to notice', async () => (await registrar.metric('connected')) === 0);
      await pause(sessionTimeout);
      zookeeper.pause(false);
      await waitFor('the registrar to reconnect', async () => (await registrar.metric('registered')) === 1);
      // The observer may reconnect later than the registrar.
      await observer.waitForReads(5);
    });
    expect(maxEntries(samples)).toBe(1);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('starts a new session at once when ZooKeeper ends the session', async () => {
    const registrar = await startRegistrar();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await endSession(zookeeper.ensemble, owner);
      await waitFor('another session', async () => {
        return (await registrar.metric('sessions_expired_total')) === 1 && (await registrar.metric('registered')) === 1;
      });
    });
    expect(maxEntries(samples)).toBe(1);
    expect(await ownerNow()).not.toBe(owner);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('leaves no stale entry when it is paused beyond its session, and registers again on resume', async () => {
    const registrar = await startRegistrar();
    const owner = await ownerNow();
    registrar.signal('SIGSTOP');
    await observer.members(0);
    registrar.signal('SIGCONT');
    expect(await ownerNow()).not.toBe(owner);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('repairs an entry that another client removes or changes', async () => {
    await startRegistrar();
    await observer.members(1);
    await withClient(zookeeper.ensemble, (client, done) => client.remove(`${folder}/${member}`, done));
    await observer.members(1);
    await withClient(zookeeper.ensemble, (client, done) =>
      client.setData(`${folder}/${member}`, Buffer.from('{}'), done),
    );
    await waitFor('the data to be repaired', async () => {
      const [entry] = await observer.members(1).catch(() => []);
      return JSON.stringify(entry?.data).includes('serviceEndpoint');
    });
  });

  test('a second registrar of the same pod takes over the entry until it ends', async () => {
    const first = await startRegistrar();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      const second = await startRegistrar();
      await waitFor('the second registrar to own the entry', async () => (await second.metric('registered')) === 1);
      await waitFor('the first registrar to yield', async () =>
        first.output.includes('a newer registrar of this pod owns the entry'),
      );
      await app.waitForRequests(10);
      expect(await ownerNow()).not.toBe(owner);
      await second.kill();
      await waitFor('the first registrar to own the entry again', async () => (await ownerNow()) === owner);
    });
    expect(maxEntries(samples)).toBe(1);
  });

  test('withdraws for good when the pod starts to terminate, while the app still responds', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    const samples = await observer.during(async () => {
      expect(await registrar.withdraw()).toBe(0);
      await observer.waitForReads(2);
    });
    expect(responses(samples).at(-1)).toEqual({ names: [] });
    expect(app.status).toBe(200);
    expect([registrar.isRunning, await registrar.status('/live')]).toEqual([true, 200]);
    const later = await observer.during(() => pause(sessionTimeout));
    expect(maxEntries(later)).toBe(0);
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
  });

  test('withdraws on SIGTERM without a prior withdraw request', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
    await observer.waitForReads(1);
    expect(await observer.members(0)).toEqual([]);
    expect(registrar.output).toContain('"withdrawn"');
  });

  test('a rollout leaves neither a service without an entry nor an entry without its pod', async () => {
    const old = await startRegistrar();
    await observer.members(1);
    const other = `member_${uid.replace('0b', 'ff')}`;
    const samples = await observer.during(async () => {
      await startRegistrar({ PINION_POD_UID: uid.replace('0b', 'ff'), PINION_POD: 'ads-4' });
      await observer.members(2);
      await old.withdraw();
      old.signal('SIGTERM');
      await old.ended();
      await observer.members(1);
    });
    const observed = [...new Set(responses(samples).map(({ names }) => [...(names ?? [])].sort().join(' ')))];
    expect(observed).toEqual([onlyMember.names?.join(' '), `${member} ${other}`, other]);
  });

  test('keeps the last entry of a service until its successor registers', async () => {
    const old = await startRegistrar();
    await observer.members(1);
    const other = `member_${uid.replace('0b', 'ff')}`;
    // It is live, and only its app is late, so that the time for which the old one waits passes without the start of a process.
    const late = await App.start();
    try {
      late.status = 503;
      const environment = {
        PINION_POD_UID: uid.replace('0b', 'ff'),
        PINION_POD: 'ads-4',
        SERVICE_PORT: String(late.port),
      };
      await startRegistrar(environment);
      const samples = await observer.during(async () => {
        const withdrawal = old.withdraw();
        await waitFor('the wait for a successor', async () => old.output.includes('waiting for a successor'));
        // One failed check does not end the wait.
        app.status = 503;
        await app.waitForRequests(1);
        app.status = 200;
        await app.waitForRequests(3);
        late.status = 200;
        expect(await withdrawal).toBe(0);
        await observer.members(1);
      });
      expect(responses(samples).filter(({ names }) => names?.length === 0)).toEqual([]);
      expect((await observer.members(1))[0]?.name).toBe(other);
    } finally {
      late.stop();
    }
  });

  test('withdraws the last entry without a successor when its app stops', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    const withdrawal = registrar.withdraw();
    app.stop();
    expect(await withdrawal).toBe(0);
    expect(await observer.members(0)).toEqual([]);
    expect(registrar.output).toContain('"withdrawn"');
  });

  test('exits in time when ZooKeeper is unavailable, and logs that the entry outlives it', async () => {
    const registrar = await startRegistrar();
    await observer.members(1);
    await zookeeper.kill();
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
    expect(registrar.output).toContain('withdrawal not confirmed');
    await zookeeper.restart();
    await observer.members(0);
  });

  test('starts before ZooKeeper and registers when it is available', async () => {
    await zookeeper.kill();
    const registrar = await startRegistrar();
    await app.waitForRequests(3);
    expect(await registrar.status('/ready')).toBe(503);
    await zookeeper.restart();
    await observer.members(1);
  });

  test('connects past servers that are down or hang, and uses the chroot of the connection string', async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const chrootObserver = new TreeObserver(zookeeper.ensemble, `/discovery${folder}`);
    try {
      await startRegistrar({
        ZOOKEEPER: `127.0.0.1:${await freePort()},127.0.0.1:${port},${zookeeper.ensemble}/discovery`,
      });
      await chrootObserver.members(1);
    } finally {
      await chrootObserver.stop();
      hanging.close();
    }
  });

  test('with authentication, others can read but not change its entry, and the log does not contain the secret', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pinion-registrar-')), 'secret');
    writeFileSync(file, 'registrar:open-sesame\n');
    try {
      const registrar = await startRegistrar({ ZOOKEEPER_AUTH_SCHEME: 'digest', ZOOKEEPER_AUTH_FILE: file });
      await observer.members(1);
      const removal = withClient(zookeeper.ensemble, (client, done) => client.remove(`${folder}/${member}`, done));
      await expect(removal).rejects.toThrow(/NO_AUTH/);
      await registrar.kill();
      const next = await startRegistrar({ ZOOKEEPER_AUTH_SCHEME: 'digest', ZOOKEEPER_AUTH_FILE: file });
      await waitFor('the entry to be replaced', async () => (await next.metric('entries_replaced_total')) === 1);
      expect(registrar.output + next.output).not.toContain('sesame');
    } finally {
      rmSync(dirname(file), { recursive: true });
    }
  });
}
