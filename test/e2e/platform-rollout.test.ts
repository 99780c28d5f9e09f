import { type ManifestInput, type PlatformKind, type Status } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { podBehavior } from '../control-plane/pod-behavior';
import { fleetProfile } from './impact-fleet';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, type LiveCustomResource, smallTemplate, workloadOf } from './pinion-suite';
import { changesSince, takeSnapshot, waitUntilIdle } from './state-snapshot';

type PlatformSpec = ManifestInput<'Platform'>['spec'];
type RolloutStatus = Status<'PlatformRollout'>;

const rollouts: NonNullable<PlatformSpec['rollouts']> = {
  waves: [{ name: 'first', projects: ['early'], soak: '2s' }],
  soak: '1s',
  budget: { workloads: 3, workloadsPerProject: 2 },
};

const platform = (profile: string, more: Partial<PlatformSpec> = { rollouts }): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, ...more, runtime: { profile } },
});

/** Returns a profile whose sidecar crashes in a loop. */
function crashingProfile(name: string, tag: string): ManifestInput<'RuntimeProfile'> {
  const profile = fleetProfile(name, tag);
  const [logs, ...others] = profile.spec.parts;
  const pod = { ...logs?.pod, annotations: { [podBehavior.crashLoop]: 'pinion-logs' } };
  return { ...profile, spec: { ...profile.spec, parts: [{ ...logs, pod } as typeof logs & object, ...others] } };
}

const early = ['cart', 'login'];
const late = ['ads', 'feed', 'home', 'mail', 'pins'];
const names = [...early, ...late];
const projectOf = (name: string): string => (early.includes(name) ? 'early' : 'late');
const longRunning = smallTemplate({ [podBehavior.exitAfter]: 'never' });

describePinion(
  'a change of the Platform',
  (pinion) => {
    const kubectl = new KubectlView(pinion, () => 'late');
    const apply = (document: ManifestInput<PlatformKind>) => pinion().apply(document);
    const profilesNow = async (): Promise<Readonly<Record<string, unknown>>> =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => {
            const live = await pinion().read('PinterestService', projectOf(name), name);
            return [name, live?.status?.['runtimeProfile']] as const;
          }),
        ),
      );
    const revisions = async () =>
      (await pinion().read('Platform', '', 'cluster'))?.status?.['revisions'] as Status<'Platform'>['revisions'];
    /** Applies a Platform; resolves with the name of the rollout that follows. */
    const change = async (document: ManifestInput<'Platform'>): Promise<string> => {
      const before = await revisions();
      await apply(document);
      const live = await pinion().until('Platform', '', 'cluster', ({ status }) => {
        const next = status?.['revisions'] as Status<'Platform'>['revisions'];
        return next?.rollout !== undefined && next.rollout !== before?.rollout;
      });
      return (live.status?.['revisions'] as { rollout: string }).rollout;
    };
    const rollout = (
      name: string,
      accepts: (status: RolloutStatus, live: LiveCustomResource) => boolean,
      timeout = 120_000,
    ) =>
      pinion().until(
        'PlatformRollout',
        '',
        name,
        (live) => accepts((live.status ?? {}) as RolloutStatus, live),
        timeout,
      );
    const inPhase = (name: string, phase: string) => rollout(name, (status) => status.phase === phase);
    const patch = (name: string, spec: object) =>
      kubectl.run('patch', 'platformrollout', name, '--type=merge', '-p', JSON.stringify({ spec }));
    const service = (name: string, build: string) =>
      pinion().apply(
        workloadOf('PinterestService', projectOf(name), name, {
          replicas: 2,
          template: smallTemplate(),
          annotations: { 'example.com/build': build },
        }),
      );
    const all = (profile: string) => Object.fromEntries(names.map((name) => [name, profile]));

    beforeAll(async () => {
      await pinion().project('early');
      await pinion().project('late');
      for (const name of names) await service(name, '1');
      await pinion().apply(workloadOf('PinterestJobSet', 'late', 'batch', { template: longRunning }));
      for (const name of names) await pinion().ready('PinterestService', projectOf(name), name, 120_000);
      await pinion().ready('PinterestJobSet', 'late', 'batch', 90_000);
      await pinion().ready('PinterestDaemon', 'pinion-system', 'node-agent', 90_000);
      await waitUntilIdle(pinion(), pinion().controller);
    }, 300_000);

    test('a Platform that gets rollouts records the revisions of its workloads without a write to an object', async () => {
      const before = await takeSnapshot(pinion(), ['early', 'late', 'pinion-system']);
      const mark = pinion().cluster.audit.mark();
      await apply(platform('lean-1'));
      await pinion().until('Platform', '', 'cluster', ({ status }) => status?.['revisions'] !== undefined);
      const { current } = (await revisions()) as { current: string };
      for (const name of names)
        await pinion().until('PinterestService', projectOf(name), name, ({ status }) => {
          return (status?.['platformRevision'] as { name?: string } | undefined)?.name === current;
        });
      await waitUntilIdle(pinion(), pinion().controller);
      expect(await takeSnapshot(pinion(), ['early', 'late', 'pinion-system'])).toEqual(before);
      const writes = changesSince(pinion(), mark).filter((change) => !change.includes('/status'));
      expect(writes).toEqual([expect.stringContaining('platformrevisions')]);
    }, 120_000);

    test('a change moves the workloads in waves and within the budgets; neither deployments nor new workloads get ahead', async () => {
      const job = await kubectl.uids('batch');
      await apply(fleetProfile('lean-2', '2'));
      const name = await change(platform('lean-2'));
      await rollout(name, ({ waves = [] }) => waves[0]?.phase === 'Completed' || waves[0]?.phase === 'Soaking');
      await patch(name, { paused: true });
      await inPhase(name, 'Paused');
      await rollout(name, ({ transit = [] }) => transit.length === 0);
      const held = Object.entries(await profilesNow())
        .filter(([, profile]) => profile === 'lean-1')
        .map(([key]) => key);
      expect(held.every((key) => late.includes(key))).toBe(true);
      const [deployed = ''] = held;
      await service(deployed, '2');
      await service('new', '1');
      await pinion().ready('PinterestService', 'late', 'new', 90_000);
      await pinion().until(
        'PinterestService',
        'late',
        deployed,
        (live) => isTrue(live, 'Ready') && live.status?.['observedGeneration'] === live.metadata.generation,
      );
      for (const key of [deployed, 'new'])
        expect((await pinion().read('PinterestService', 'late', key))?.status).toMatchObject({
          runtimeProfile: 'lean-1',
        });
      await patch(name, { paused: false });
      let most = 0;
      const { status } = await rollout(name, (now) => {
        most = Math.max(most, (now.transit ?? []).length);
        return now.phase === 'Completed';
      });
      expect(most).toBeLessThanOrEqual(3);
      expect((status as RolloutStatus).waves?.map(({ name: wave }) => wave)).toEqual(['first', 'rest', 'daemons']);
      expect(await profilesNow()).toEqual(all('lean-2'));
      expect((await pinion().read('PinterestService', 'late', 'new'))?.status).toMatchObject({
        runtimeProfile: 'lean-2',
      });
      expect(await kubectl.uids('batch')).toEqual(job);
      const { current, completed } = (
        await pinion().until('Platform', '', 'cluster', ({ status: now }) => {
          const { current: wanted, completed: done } = now?.['revisions'] as { current: string; completed: string };
          return wanted === done;
        })
      ).status?.['revisions'] as { current: string; completed: string };
      expect(completed).toBe(current);
    }, 240_000);

    test('a sidecar that crashes stops the rollout in its first wave, and the workloads return', async () => {
      const untouched = await Promise.all(late.map((name) => kubectl.uids(name)));
      await apply(crashingProfile('lean-3', '3'));
      const name = await change(platform('lean-3'));
      await rollout(name, ({ phase }) => phase === 'Failed' || phase === 'RolledBack');
      await inPhase(name, 'RolledBack');
      expect(await profilesNow()).toEqual(all('lean-2'));
      for (const key of early) await pinion().ready('PinterestService', 'early', key, 60_000);
      expect(await Promise.all(late.map((one) => kubectl.uids(one)))).toEqual(untouched);
    }, 240_000);

    test('a Platform that is what it was takes back what moved', async () => {
      await apply(fleetProfile('lean-4', '4'));
      const name = await change(platform('lean-4'));
      await rollout(name, ({ waves = [] }) => waves[0]?.phase === 'Completed');
      await patch(name, { paused: true });
      await inPhase(name, 'Paused');
      const back = await change(platform('lean-2'));
      await inPhase(back, 'Completed');
      await inPhase(name, 'RolledBack');
      expect(await profilesNow()).toEqual(all('lean-2'));
    }, 240_000);
  },
  {
    documents: [platform('lean-1', {}), fleetProfile('lean-1', '1')],
  },
);
