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

/** Milliseconds that a session of the tests lasts without a sign of life. */
const sessionTimeout = 2_000;
const uid = '0b9e8a0c-6d0f-4c5e-9f65-2b1a3c4d5e6f';
const folder = '/pinion/services/shop/ads';
const member = `member_${uid}`;
const present: Sample = { names: [member] };

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const answered = (samples: readonly Sample[]): readonly Sample[] => samples.filter(({ names }) => names !== undefined);
/** Looks that saw anything but exactly the one entry. */
const gaps = (samples: readonly Sample[]): readonly Sample[] =>
  answered(samples).filter(({ names }) => names?.length !== 1 || names[0] !== member);
const mostAtOnce = (samples: readonly Sample[]): number =>
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

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<RegistrarProcess> => {
    const registrar = await RegistrarProcess.start({
      ZOOKEEPER: zookeeper.ensemble,
      REGION: 'us-east-1',
      SERVICE_PORT: String(app.port),
      READINESS_PATH: '/healthz',
      READINESS_PERIOD_SECONDS: '0.1',
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
      ...more,
    });
    registrars.push(registrar);
    return registrar;
  };
  const ownerNow = async (): Promise<bigint> => (await observer.members(1))[0]?.owner ?? 0n;

  test('registers the pod once its app is ready, and not before', async () => {
    app.status = 503;
    const registrar = await start();
    const samples = await observer.during(() => app.questions(5));
    expect(mostAtOnce(samples)).toBe(0);
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

  test('bears one bad answer of the app, and withdraws it while it is unready for longer', async () => {
    await start();
    await observer.members(1);
    const blink = await observer.during(async () => {
      app.status = 503;
      await app.questions(1);
      app.status = 200;
      await app.questions(5);
    });
    expect(gaps(blink)).toEqual([]);
    app.status = 503;
    await observer.members(0);
    app.status = 200;
    await observer.members(1);
  });

  test('killed and started again, the entry passes to the new session without a gap', async () => {
    const first = await start();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await first.kill();
      const second = await start();
      await waitFor('the new session to have it', async () => (await ownerNow()) !== owner);
      await pause(2 * sessionTimeout);
      expect(await second.metric('entries_replaced_total')).toBe(1);
    });
    expect(gaps(samples)).toEqual([]);
    expect(samples.length).toBeGreaterThan(100);
  });

  test('killed for good, leaves no entry once its session is over', async () => {
    const registrar = await start();
    await observer.members(1);
    await registrar.kill();
    await observer.members(0);
  });

  test('ZooKeeper killed and started again finds the same session, and nobody sees a gap', async () => {
    const registrar = await start();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await zookeeper.kill();
      await pause(sessionTimeout / 2);
      await zookeeper.restart();
      await observer.looks(100);
      await waitFor('the registrar to be back', async () => (await registrar.metric('connected')) === 1);
      await pause(sessionTimeout + 1_000);
    });
    expect(gaps(samples)).toEqual([]);
    expect(await ownerNow()).toBe(owner);
    expect(await registrar.metric('connections_lost_total')).toBeGreaterThan(0);
  });

  test('a short pause of ZooKeeper changes nothing', async () => {
    await start();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      zookeeper.pause(true);
      await pause(sessionTimeout / 4);
      zookeeper.pause(false);
      await observer.looks(100);
    });
    expect(gaps(samples)).toEqual([]);
    expect(await ownerNow()).toBe(owner);
  });

  test('a ZooKeeper that hangs for longer than the session is left and found again, with one entry', async () => {
    const registrar = await start();
    await observer.members(1);
    const samples = await observer.during(async () => {
      zookeeper.pause(true);
      await waitFor('the registrar to notice', async () => (await registrar.metric('connected')) === 0);
      await pause(sessionTimeout);
      zookeeper.pause(false);
      await waitFor('the registrar to be back', async () => (await registrar.metric('registered')) === 1);
    });
    expect(mostAtOnce(samples)).toBe(1);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('a session that ZooKeeper ends is followed at once by another', async () => {
    const registrar = await start();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      await endSession(zookeeper.ensemble, owner);
      await waitFor('another session', async () => {
        return (await registrar.metric('sessions_expired_total')) === 1 && (await registrar.metric('registered')) === 1;
      });
    });
    expect(mostAtOnce(samples)).toBe(1);
    expect(await ownerNow()).not.toBe(owner);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('paused beyond its session it leaves no ghost, and is back when it goes on', async () => {
    const registrar = await start();
    const owner = await ownerNow();
    registrar.signal('SIGSTOP');
    await observer.members(0);
    registrar.signal('SIGCONT');
    expect(await ownerNow()).not.toBe(owner);
    expect(gaps(await observer.during(() => pause(2 * sessionTimeout)))).toEqual([]);
  });

  test('an entry that another hand removes or changes is put right', async () => {
    await start();
    await observer.members(1);
    await withClient(zookeeper.ensemble, (client, done) => client.remove(`${folder}/${member}`, done));
    await observer.members(1);
    await withClient(zookeeper.ensemble, (client, done) =>
      client.setData(`${folder}/${member}`, Buffer.from('{}'), done),
    );
    await waitFor('the data to be right', async () => {
      const [entry] = await observer.members(1).catch(() => []);
      return JSON.stringify(entry?.data).includes('serviceEndpoint');
    });
  });

  test('a second registrar of the same pod takes the entry over, and the first steps back until it is gone', async () => {
    const first = await start();
    const owner = await ownerNow();
    const samples = await observer.during(async () => {
      const second = await start();
      await waitFor('the second to have it', async () => (await second.metric('registered')) === 1);
      await waitFor('the first to step back', async () =>
        first.said.includes('a newer registrar of this pod owns the entry'),
      );
      await app.questions(10);
      expect(await ownerNow()).not.toBe(owner);
      await second.kill();
      await waitFor('the first to have it again', async () => (await ownerNow()) === owner);
    });
    expect(mostAtOnce(samples)).toBe(1);
  });

  test('withdraws when the pod begins to end, while the app still answers, and never comes back', async () => {
    const registrar = await start();
    await observer.members(1);
    const samples = await observer.during(async () => {
      expect(await registrar.withdraw()).toBe(0);
      await observer.looks(2);
    });
    expect(answered(samples).at(-1)).toEqual({ names: [] });
    expect(app.status).toBe(200);
    expect([registrar.isRunning, await registrar.status('/live')]).toEqual([true, 200]);
    const later = await observer.during(() => pause(sessionTimeout));
    expect(mostAtOnce(later)).toBe(0);
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
  });

  test('asked to end without a word before, it withdraws first', async () => {
    const registrar = await start();
    await observer.members(1);
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
    await observer.looks(1);
    expect(await observer.members(0)).toEqual([]);
    expect(registrar.said).toContain('"withdrawn"');
  });

  test('a rollout never leaves the service without an entry, nor an entry without its pod', async () => {
    const old = await start();
    await observer.members(1);
    const other = `member_${uid.replace('0b', 'ff')}`;
    const samples = await observer.during(async () => {
      await start({ PINION_POD_UID: uid.replace('0b', 'ff'), PINION_POD: 'ads-4' });
      await observer.members(2);
      await old.withdraw();
      old.signal('SIGTERM');
      await old.ended();
      await observer.members(1);
    });
    const seen = [...new Set(answered(samples).map(({ names }) => [...(names ?? [])].sort().join(' ')))];
    expect(seen).toEqual([present.names?.join(' '), `${member} ${other}`, other]);
  });

  test('the last entry of a service stays until its successor is there, for a pod may begin to end as soon as another is ready', async () => {
    const old = await start();
    await observer.members(1);
    const other = `member_${uid.replace('0b', 'ff')}`;
    const samples = await observer.during(async () => {
      const withdrawal = old.withdraw();
      await pause(200);
      await start({ PINION_POD_UID: uid.replace('0b', 'ff'), PINION_POD: 'ads-4' });
      expect(await withdrawal).toBe(0);
      await observer.members(1);
    });
    expect(answered(samples).filter(({ names }) => names?.length === 0)).toEqual([]);
    expect((await observer.members(1))[0]?.name).toBe(other);
  });

  test('the last entry goes before any successor is there when its app stops', async () => {
    const registrar = await start();
    await observer.members(1);
    const withdrawal = registrar.withdraw();
    app.stop();
    expect(await withdrawal).toBe(0);
    expect(await observer.members(0)).toEqual([]);
    expect(registrar.said).toContain('"withdrawn"');
  });

  test('ends in good time when ZooKeeper is away, and says that the entry outlives it', async () => {
    const registrar = await start();
    await observer.members(1);
    await zookeeper.kill();
    registrar.signal('SIGTERM');
    expect(await registrar.ended()).toBe(0);
    expect(registrar.said).toContain('withdrawal not confirmed');
    await zookeeper.restart();
    await observer.members(0);
  });

  test('starts before ZooKeeper and registers when that is there', async () => {
    await zookeeper.kill();
    const registrar = await start();
    await app.questions(3);
    expect(await registrar.status('/ready')).toBe(503);
    await zookeeper.restart();
    await observer.members(1);
  });

  test('finds its server among others that are gone or hang, and keeps to the root that the ensemble is given', async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const rooted = new TreeObserver(zookeeper.ensemble, `/discovery${folder}`);
    try {
      await start({ ZOOKEEPER: `127.0.0.1:${await freePort()},127.0.0.1:${port},${zookeeper.ensemble}/discovery` });
      await rooted.members(1);
    } finally {
      await rooted.stop();
      hanging.close();
    }
  });

  test('with an identity nobody else may change its entry, everybody may read it, and the log keeps the secret', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pinion-registrar-')), 'secret');
    writeFileSync(file, 'registrar:open-sesame\n');
    try {
      const registrar = await start({ ZOOKEEPER_AUTH_SCHEME: 'digest', ZOOKEEPER_AUTH_FILE: file });
      await observer.members(1);
      const removal = withClient(zookeeper.ensemble, (client, done) => client.remove(`${folder}/${member}`, done));
      await expect(removal).rejects.toThrow(/NO_AUTH/);
      await registrar.kill();
      const next = await start({ ZOOKEEPER_AUTH_SCHEME: 'digest', ZOOKEEPER_AUTH_FILE: file });
      await waitFor('it to be replaced', async () => (await next.metric('entries_replaced_total')) === 1);
      expect(registrar.said + next.said).not.toContain('sesame');
    } finally {
      rmSync(dirname(file), { recursive: true });
    }
  });
}
