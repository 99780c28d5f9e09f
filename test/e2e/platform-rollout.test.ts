import { describePinion, isTrue } from './pinion-suite';
import { defineApprovedImpact } from './rollout/approved-impact';
import { defineGoodChanges } from './rollout/good-changes';
import { defineHeldWorkloads } from './rollout/held-workloads';
import { defineKilledRollouts } from './rollout/killed-rollouts';
import { historyFlags } from './rollout/object-history';
import { defineCrashingSidecar, defineNodeOutage, defineStaleHealth } from './rollout/rollout-gates';
import { defineRolloutPermissions, rolloutUsers } from './rollout/rollout-permissions';
import { RolloutFleet, rolloutPlatform, rolloutProfile } from './rollout-fleet';
import { changesSince, takeSnapshot, waitUntilIdle } from './state-snapshot';

const namespaces = ['early', 'late', 'machines', 'pinion-system'];

describePinion(
  'a change of the Platform',
  (pinion) => {
    const fleet = new RolloutFleet(pinion);
    const { kubectl } = fleet;

    beforeAll(() => fleet.start(), 300_000);

    test('a Platform that gets rollouts records the revisions of its workloads without a write to an object', async () => {
      const before = await takeSnapshot(pinion(), namespaces);
      const mark = pinion().cluster.audit.mark();
      await fleet.apply(rolloutPlatform('lean-1'));
      await pinion().until('Platform', '', 'cluster', ({ status }) => status?.['revisions'] !== undefined);
      const { current } = (await fleet.revisions()) ?? {};
      for (const name of fleet.services)
        await pinion().until('PinterestService', fleet.projectOf(name), name, ({ status }) => {
          return (status?.['platformRevision'] as { name?: string } | undefined)?.name === current;
        });
      await waitUntilIdle(pinion(), pinion().controller);
      expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
      const writes = changesSince(pinion(), mark).filter((change) => !change.includes('/status'));
      expect(writes).toEqual([expect.stringContaining('platformrevisions')]);
    }, 120_000);

    test('a change moves the workloads in waves and within the budgets; neither deployments nor new workloads get ahead', async () => {
      const job = await kubectl.uids('batch');
      await fleet.apply(rolloutProfile('lean-2', '2'));
      const name = await fleet.change(rolloutPlatform('lean-2'));
      await fleet.wave(name, 'first', 'Completed', 'Soaking');
      await fleet.patch(name, { paused: true });
      await fleet.inPhase(name, 'Paused');
      await fleet.rollout(name, ({ transit = [] }) => transit.length === 0);
      const held = Object.entries(await fleet.profiles())
        .filter(([, profile]) => profile === 'lean-1')
        .map(([key]) => key);
      expect(held.every((key) => fleet.projectOf(key) === 'late')).toBe(true);
      const [deployed = ''] = held;
      await fleet.deploy(deployed, '2');
      fleet.more.push('new');
      await fleet.deploy('new', '1');
      await pinion().ready('PinterestService', 'late', 'new', 90_000);
      await pinion().until(
        'PinterestService',
        'late',
        deployed,
        (live) => isTrue(live, 'Ready') && live.status?.['observedGeneration'] === live.metadata.generation,
      );
      expect(await fleet.profiles()).toMatchObject({ [deployed]: 'lean-1', new: 'lean-1' });
      await fleet.patch(name, { paused: false });
      let most = 0;
      const status = await fleet.rollout(name, ({ transit = [], phase }) => {
        most = Math.max(most, transit.length);
        return phase === 'Completed';
      });
      expect(most).toBeLessThanOrEqual(3);
      expect(status.waves?.map(({ name: wave }) => wave)).toEqual(['first', 'rest', 'daemons', 'created']);
      expect(await fleet.profiles()).toEqual(fleet.allOn('lean-2'));
      expect(await kubectl.uids('batch')).toEqual(job);
      await pinion().until('Platform', '', 'cluster', ({ status: now }) => {
        const { current, completed } = now?.['revisions'] as { current: string; completed: string };
        return current === completed;
      });
    }, 240_000);

    test('a Platform that is what it was takes back what moved', async () => {
      await fleet.apply(rolloutProfile('lean-4', '4'));
      const name = await fleet.change(rolloutPlatform('lean-4'));
      await fleet.wave(name, 'first', 'Completed');
      await fleet.patch(name, { paused: true });
      await fleet.inPhase(name, 'Paused');
      const back = await fleet.change(rolloutPlatform('lean-2'));
      await fleet.inPhase(back, 'Completed');
      await fleet.inPhase(name, 'RolledBack');
      expect(await fleet.profiles()).toEqual(fleet.allOn('lean-2'));
    }, 240_000);

    defineApprovedImpact(fleet);
    defineCrashingSidecar(fleet);
    defineHeldWorkloads(fleet);
    defineNodeOutage(fleet);
    defineStaleHealth(fleet);
    defineGoodChanges(fleet, 3);
    defineRolloutPermissions(fleet);
    defineKilledRollouts(fleet, [1, 2, 3], { server: true });
  },
  {
    documents: [rolloutPlatform('lean-1', {}), rolloutProfile('lean-1', '1')],
    apiServerFlags: historyFlags,
    users: rolloutUsers,
  },
);
