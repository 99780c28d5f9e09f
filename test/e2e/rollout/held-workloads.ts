import { isTrue, type LiveCustomResource } from '../pinion-suite';
import { type RolloutFleet, rolloutPlatform, rolloutProfile, type Rollouts, wholeWaves } from '../rollout-fleet';
import { changesOf, factsOfHistory, markHistory } from './object-history';

/** Policy whose second wave starts in an emergency only. */
const longSoak: Rollouts = { ...wholeWaves, waves: [{ name: 'first', projects: ['early'], soak: '1h' }] };

/** Tag of the sidecar after the rollout. */
const nextTag = '52';

/** Defines a test of what happens to workloads in the middle of a rollout. */
export function defineHeldWorkloads(fleet: RolloutFleet): void {
  const { pinion, kubectl } = fleet;
  const pods = (name: string, count: number) =>
    pinion().until('PinterestService', fleet.projectOf(name), name, (live) => hasPods(live, count), 120_000);

  test('whatever happens to a workload during a rollout, its pods follow the revision that it has', async () => {
    const [formerTag = ''] = await fleet.tags('late', 'ads');
    await fleet.apply(rolloutProfile('held', nextTag));
    const mark = await markHistory(pinion());
    const name = await fleet.change(rolloutPlatform('held', { rollouts: longSoak }));
    await fleet.wave(name, 'first', 'Soaking');
    await fleet.patch(name, { paused: true });
    await fleet.inPhase(name, 'Paused');

    // Neither revision can be deleted: pods that come need them.
    const { current = '', completed = '' } = (await fleet.revisions()) ?? {};
    for (const revision of [current, completed]) {
      const { code, stderr } = await kubectl.attempt('delete', 'platformrevision', revision);
      expect([revision, code, stderr]).toEqual([
        ...[revision, 1],
        expect.stringMatching(/get this PlatformRevision|still has \d+ workloads/) as string,
      ]);
    }
    // A pod is deleted, another one is evicted by a drain.
    await kubectl.run('delete', 'pod', (await kubectl.pods('ads'))[0]?.metadata.name ?? '');
    await fleet.view('late').run('delete', 'pod', 'ledger-0');
    const node = (await kubectl.pods('feed'))[0]?.spec['nodeName'] as string;
    const evicted = await kubectl.uids('feed');
    await kubectl.run('drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--force', '--timeout=90s');
    await kubectl.run('uncordon', node);
    // Scaled up, scaled to 0 and back, deployed, created; and a node is added.
    await kubectl.run('scale', 'psvc/home', '--replicas=4');
    await kubectl.run('scale', 'psvc/mail', '--replicas=0');
    await pods('mail', 0);
    await kubectl.run('scale', 'psvc/mail', '--replicas=2');
    await fleet.deploy('pins', '5');
    await fleet.deploy('cart', '5');
    await fleet.view('early').run('scale', 'psvc/login', '--replicas=3');
    fleet.more.push('later');
    await fleet.deploy('later', '1');
    const [added = ''] = await pinion().cluster.nodes.add(1, { name: 'node-added' });

    for (const [workload, count] of Object.entries({ home: 4, mail: 2, login: 3, later: 2 }))
      await pods(workload, count);
    await fleet.ready();
    expect(await kubectl.uids('feed')).not.toEqual(evicted);
    for (const workload of fleet.services) {
      const expected = fleet.projectOf(workload) === 'early' ? nextTag : formerTag;
      expect([workload, await fleet.tags(fleet.projectOf(workload), workload)]).toEqual([workload, [expected]]);
    }
    expect(await fleet.tags('late', 'ledger')).toEqual([formerTag]);
    await pinion().until('PinterestDaemon', 'machines', 'agent', ({ status }) => status?.['readyNodes'] === 4, 90_000);
    const agents = await fleet.view('machines').pods('agent');
    expect(agents.map(({ spec }) => spec['nodeName'])).toContain(added);
    expect(await fleet.tags('machines', 'agent')).toEqual([formerTag]);

    // Only an emergency ends the soak; what was created meanwhile moves, too.
    const until = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+/, '');
    await fleet.patch(name, { paused: false, emergency: { reason: 'The test ends here.', until } });
    await fleet.inPhase(name, 'Completed');
    await fleet.ready();
    for (const workload of fleet.services)
      expect(await fleet.tags(fleet.projectOf(workload), workload)).toEqual([nextTag]);
    expect(await fleet.tags('late', 'ledger')).toEqual([nextTag]);
    expect(await fleet.tags('machines', 'agent')).toEqual([nextTag]);
    // Deployments changed two templates once more, a new workload had one before.
    const changed = factsOfHistory(await changesOf(pinion(), mark)).changed.toSorted();
    const twice = ['early/cart', 'late/pins', 'late/later'];
    expect(changed).toEqual([...fleet.movedKeys, ...twice].toSorted());
    await kubectl.run('scale', 'psvc/home', '--replicas=2');
    await fleet.view('early').run('scale', 'psvc/login', '--replicas=2');
  }, 300_000);
}

const hasPods = (live: LiveCustomResource, count: number): boolean =>
  isTrue(live, 'Ready') && (live.status?.['readyReplicas'] ?? 0) === count;
