import { type Client } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { FollowedObjects } from '../rehearsal/followed-objects';
import { describeRehearsal } from '../rehearsal/suite';
import { names, patience, read, ThreeMasters, write } from '../rehearsal/three-control-plane-nodes';
import { describeWholeMaster } from '../rehearsal/whole-control-plane-node';

/** Milliseconds for a test in which machines boot. */
const long = 1_500_000;

describeRehearsal('three masters, and what they survive', {}, (rehearsal) => {
  let three: ThreeMasters;
  let followed: FollowedObjects;
  const clients: Record<string, Client> = {};
  const client = (name: string): Client => {
    const found = clients[name];
    if (!found) throw new Error(`nobody is logged in to ${name}`);
    return found;
  };
  const login = async (name: string): Promise<void> => {
    clients[name] = await three.master(name).login('/etc/kubernetes/admin.conf');
  };
  const lasting = (on: string) => rehearsal().stage.resources.attachedTo(three.master(on).instance.id);

  beforeAll(async () => {
    three = new ThreeMasters(rehearsal());
    await three.make();
    for (const name of names) await login(name);
    followed = await FollowedObjects.start(rehearsal().stage.folder, three.master('a'));
  }, long);
  afterAll(() => followed.stop());

  test('they form one cluster, whose API is at all of their planned addresses', async () => {
    for (const database of ['main', 'events'])
      expect((await three.members('b', database)).map(({ name, learns }) => [name, learns])).toEqual(
        names.map((name) => [name, false]),
      );
    await write(client('a'), 'kept', 'first');
    expect(await read(client('c'), 'kept')).toBe('first');
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'kubernetes', namespace: 'default' },
    };
    const planned = rehearsal().stage.planned.spec.members.map(({ address }) => address);
    await waitFor('all addresses', async () => {
      const { endpoints = [] } = (await client('b').get(slice)).body as { endpoints?: { addresses: string[] }[] };
      return (
        endpoints
          .flatMap(({ addresses }) => addresses)
          .sort()
          .join() === planned.sort().join()
      );
    });
  });

  test(
    'one dies: its replacement waits for what it left, takes it over, and is the same member',
    async () => {
      const before = { members: await three.members('a', 'main'), lasting: await lasting('c') };
      const dead = three.master('c').instance.id;
      const master = await rehearsal().replace('c');
      const script = () => master.init.service('pinion-control-plane.service').process.said;
      await waitFor('the replacement to wait', async () => script().includes(`is still held by ${dead}`), patience);
      await write(client('b'), 'while-one-is-away', 'two are enough');
      await rehearsal().stage.resources.releaseInterface('c');
      await three.finish(master);
      await login('c');
      expect(await three.members('c', 'main')).toEqual(before.members);
      expect(await lasting('c')).toEqual(before.lasting);
      expect(await read(client('c'), 'kept')).toBe('first');
      expect(await read(client('c'), 'while-one-is-away')).toBe('two are enough');
    },
    long,
  );

  test(
    'a volume is lost and the others live: the member is removed, learns what it missed, and votes again',
    async () => {
      const before = await three.members('a', 'main');
      const master = await rehearsal().replace('b', ['main']);
      await rehearsal().stage.resources.releaseInterface('b');
      await three.refused('b', 'main');
      expect(master.init.service('etcd-main.service').process.said).toContain('has already been bootstrapped');
      await three.recover('b', 'rejoin', 'main');
      await three.finish(master);
      await login('b');
      const after = await three.members('a', 'main');
      expect(after.map(({ name, learns }) => [name, learns])).toEqual(names.map((name) => [name, false]));
      expect(after.filter(({ id }, index) => id !== before[index]?.id).map(({ name }) => name)).toEqual(['b']);
      expect(await read(client('b'), 'kept')).toBe('first');
      expect(master.machine.has('/etc/pinion/etcd-main.join')).toBe(false);
    },
    long,
  );

  test(
    'two of three are lost: a snapshot is restored on all, and no watcher is led back in time',
    async () => {
      await three.master('a').machine.demand('/opt/pinion/bin/etcd-snapshot');
      const latest = await write(client('a'), 'after-the-snapshot', 'is lost');
      await waitFor(
        'the informer',
        async () => followed.store.get('default/after-the-snapshot') !== undefined,
        patience,
      );
      const lists = followed.lists;

      // One machine with its volume, and what another one has on its own.
      const master = await rehearsal().replace('c', ['main']);
      await rehearsal().stage.resources.releaseInterface('c');
      const damaged = three.master('b').machine;
      await damaged.demand('systemctl', 'stop', 'etcd-main.service');
      await damaged.demand('rm', '-rf', '/var/lib/etcd/main/data');
      await damaged.demand('systemctl', 'start', '--no-block', 'etcd-main.service');
      await waitFor('the script to wait for etcd', async () => master.init.has('etcd-events.service'), patience);

      for (const name of names) await three.recover(name, 'hold');
      await Promise.all(names.map((name) => three.master(name).pods.settle()));
      const [line = ''] = (await three.recover('a', 'snapshots', 'main')).trim().split('\n');
      const [key = ''] = line.split('\t');
      for (const name of names) await three.recover(name, 'restore', 'main', key);
      await Promise.all(names.map((name) => three.recover(name, 'release')));
      await Promise.all(['a', 'b'].map((name) => three.master(name).serve()));
      await three.finish(master);
      for (const name of names) await login(name);

      for (const name of names) {
        expect(await read(client(name), 'kept')).toBe('first');
        expect(await read(client(name), 'after-the-snapshot')).toBeUndefined();
      }
      const restored = await write(client('c'), 'after-the-recovery', 'is new');
      expect(restored).toBeGreaterThan(latest + 999_000_000n);
      await waitFor(
        'the informer',
        async () => followed.store.get('default/after-the-recovery') !== undefined,
        patience,
      );
      expect(followed.store.get('default/after-the-snapshot')).toBeUndefined();
      expect(followed.store.get('default/kept')).toBeDefined();
      expect(followed.lists).toBeGreaterThan(lists);
      expect(followed.versions.filter((version, index) => version < (followed.versions[index - 1] ?? 0n))).toEqual([]);
    },
    long,
  );
});

describeWholeMaster('1.35');
