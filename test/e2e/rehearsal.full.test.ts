import { type Client } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { RecordingInformer } from '../rehearsal/recording-informer';
import { describeRehearsal } from '../rehearsal/suite';
import { names, waitOptions, read, ThreeControlPlaneNodes, write } from '../rehearsal/three-control-plane-nodes';
import { describeSingleControlPlaneNode } from '../rehearsal/single-control-plane-node';

/** Timeout of a test in which machines boot, in milliseconds. */
const bootTimeout = 1_500_000;

describeRehearsal('three control plane nodes and their recovery', {}, (rehearsal) => {
  let nodes: ThreeControlPlaneNodes;
  let informer: RecordingInformer;
  const clients: Record<string, Client> = {};
  const client = (name: string): Client => {
    const found = clients[name];
    if (!found) throw new Error(`no client for ${name}`);
    return found;
  };
  const login = async (name: string): Promise<void> => {
    clients[name] = await nodes.node(name).login('/etc/kubernetes/admin.conf');
  };
  const attachedResources = (name: string) => rehearsal().stage.resources.attachedTo(nodes.node(name).instance.id);

  beforeAll(async () => {
    nodes = new ThreeControlPlaneNodes(rehearsal());
    await nodes.create();
    for (const name of names) await login(name);
    informer = await RecordingInformer.start(rehearsal().stage.folder, nodes.node('a'));
  }, bootTimeout);
  afterAll(() => informer.stop());

  test('form one cluster whose API has all of the planned addresses', async () => {
    for (const database of ['main', 'events'])
      expect((await nodes.members('b', database)).map(({ name, learns }) => [name, learns])).toEqual(
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
    'the replacement of a lost node waits for its volumes and interface, and rejoins as the same member',
    async () => {
      const before = { members: await nodes.members('a', 'main'), attachedResources: await attachedResources('c') };
      const lostInstance = nodes.node('c').instance.id;
      const replacement = await rehearsal().replace('c');
      const script = () => replacement.init.service('pinion-control-plane.service').process.log;
      await waitFor(
        'the replacement to wait',
        async () => script().includes(`is still attached to ${lostInstance}`),
        waitOptions,
      );
      await write(client('b'), 'during-the-loss', 'two are enough');
      await rehearsal().stage.resources.releaseInterface('c');
      await nodes.finish(replacement);
      await login('c');
      expect(await nodes.members('c', 'main')).toEqual(before.members);
      expect(await attachedResources('c')).toEqual(before.attachedResources);
      expect(await read(client('c'), 'kept')).toBe('first');
      expect(await read(client('c'), 'during-the-loss')).toBe('two are enough');
    },
    bootTimeout,
  );

  test(
    'a member that lost its volume is removed, rejoins as a learner and becomes a voter',
    async () => {
      const before = await nodes.members('a', 'main');
      const replacement = await rehearsal().replace('b', ['main']);
      await rehearsal().stage.resources.releaseInterface('b');
      await nodes.refused('b', 'main');
      expect(replacement.init.service('etcd-main.service').process.log).toContain('has already been bootstrapped');
      await nodes.recover('b', 'rejoin', 'main');
      await nodes.finish(replacement);
      await login('b');
      const after = await nodes.members('a', 'main');
      expect(after.map(({ name, learns }) => [name, learns])).toEqual(names.map((name) => [name, false]));
      expect(after.filter(({ id }, index) => id !== before[index]?.id).map(({ name }) => name)).toEqual(['b']);
      expect(await read(client('b'), 'kept')).toBe('first');
      expect(replacement.machine.has('/etc/pinion/etcd-main.join')).toBe(false);
    },
    bootTimeout,
  );

  test(
    'after the loss of two nodes a snapshot is restored on all, and no watch sees an older revision',
    async () => {
      await nodes.node('a').machine.runOrThrow('/opt/pinion/bin/etcd-snapshot');
      const latest = await write(client('a'), 'after-the-snapshot', 'is lost');
      await waitFor(
        'the informer',
        async () => informer.store.get('default/after-the-snapshot') !== undefined,
        waitOptions,
      );
      const lists = informer.lists;

      // One machine is lost with its volume, another one loses its data.
      const replacement = await rehearsal().replace('c', ['main']);
      await rehearsal().stage.resources.releaseInterface('c');
      const otherMachine = nodes.node('b').machine;
      await otherMachine.runOrThrow('systemctl', 'stop', 'etcd-main.service');
      await otherMachine.runOrThrow('rm', '-rf', '/var/lib/etcd/main/data');
      await otherMachine.runOrThrow('systemctl', 'start', '--no-block', 'etcd-main.service');
      await waitFor(
        'the script to wait for etcd',
        async () => replacement.init.has('etcd-events.service'),
        waitOptions,
      );

      for (const name of names) await nodes.recover(name, 'hold');
      await Promise.all(names.map((name) => nodes.node(name).pods.settle()));
      const [line = ''] = (await nodes.recover('a', 'snapshots', 'main')).trim().split('\n');
      const [key = ''] = line.split('\t');
      for (const name of names) await nodes.recover(name, 'restore', 'main', key);
      await Promise.all(names.map((name) => nodes.recover(name, 'release')));
      await Promise.all(['a', 'b'].map((name) => nodes.node(name).serve()));
      await nodes.finish(replacement);
      for (const name of names) await login(name);

      for (const name of names) {
        expect(await read(client(name), 'kept')).toBe('first');
        expect(await read(client(name), 'after-the-snapshot')).toBeUndefined();
      }
      const restored = await write(client('c'), 'after-the-recovery', 'is new');
      expect(restored).toBeGreaterThan(latest + 999_000_000n);
      await waitFor(
        'the informer',
        async () => informer.store.get('default/after-the-recovery') !== undefined,
        waitOptions,
      );
      expect(informer.store.get('default/after-the-snapshot')).toBeUndefined();
      expect(informer.store.get('default/kept')).toBeDefined();
      expect(informer.lists).toBeGreaterThan(lists);
      expect(informer.versions.filter((version, index) => version < (informer.versions[index - 1] ?? 0n))).toEqual([]);
    },
    bootTimeout,
  );
});

describeSingleControlPlaneNode('1.35');
