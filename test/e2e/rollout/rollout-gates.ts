import { setTimeout as delay } from 'node:timers/promises';
import { connect, loadKubeConfig } from '../../../lib/kube';
import { type CanaryRun, recordRun } from '../../../lib/operations';
import { waitFor } from '../../control-plane/wait-for';
import { realClock } from '../../kube/real-clock';
import {
  earlyServices,
  lateServices,
  type RolloutFleet,
  rolloutPlatform,
  rolloutProfile,
  type Rollouts,
  smallWaves,
  wholeWaves,
} from '../rollout-fleet';
import { changesOf, factsOfHistory, markHistory } from './object-history';

/** Namespace of the canary. */
const canary = 'pinion-canary';

/** Workloads of the first wave, as namespace/name. */
const firstWave = earlyServices.map((name) => `early/${name}`).toSorted();

/** Records runs of the canary, as the canary does. */
async function recordCanary(fleet: RolloutFleet, run: Pick<CanaryRun, 'began' | 'profile' | 'revision'>) {
  const settings = loadKubeConfig({ file: fleet.pinion().cluster.kubeconfig, environment: {} });
  const client = connect(settings, { clock: realClock, userAgent: 'pinion-test' });
  const cases = [{ kind: 'PinterestService', deploymentPath: 'controller', state: 'passed', steps: [] }] as const;
  const ended = new Date().toISOString();
  await recordRun(client, canary, { ...run, id: String(Date.now()), ended, swept: 0, cases });
  client.close();
}

/** Defines a test of a sidecar that crashes after the canary passed, while the canary is down. */
export function defineCrashingSidecar(fleet: RolloutFleet): void {
  const { pinion, kubectl } = fleet;

  test('a sidecar that crashes stops the rollout in its first wave, and the workloads return with the canary down', async () => {
    const [former] = Object.values(await fleet.profiles()) as string[];
    const untouched = await Promise.all(lateServices.map((name) => kubectl.uids(name)));
    await pinion().project(canary);
    await fleet.apply(rolloutProfile('crash', '60', { crashes: true }));
    const mark = await markHistory(pinion());
    const runtime = { profile: 'crash', canary: { project: canary } };
    const name = await fleet.change(rolloutPlatform('crash', { rollouts: smallWaves, runtime }));
    const waits = (text: RegExp) =>
      fleet.rollout(name, ({ reason, message = '' }) => reason === 'WaitsForCanary' && text.test(message));
    const { started } = await waits(/no canary run/);
    const { current: revision = '' } = (await fleet.revisions()) ?? {};
    // Neither a run that began before the rollout nor one of another revision counts.
    const began = new Date(Date.parse(started ?? '') - 1000).toISOString();
    await recordCanary(fleet, { began, profile: 'crash', revision });
    await waits(/began after/);
    await recordCanary(fleet, { began: new Date().toISOString(), profile: 'crash', revision: 'rev-other' });
    await waits(/tested revision rev-other/);
    expect(await changesOf(pinion(), mark)).toEqual([]);
    await recordCanary(fleet, { began: new Date().toISOString(), profile: 'crash', revision });
    await fleet.rollout(name, ({ transit = [], phase }) => transit.length > 0 || phase === 'Failed');
    await fleet.view(canary).run('delete', 'configmaps', '--all');
    const { failed = [], waves = [] } = await fleet.inPhase(name, 'RolledBack');
    expect(failed.map(({ message }) => message).join()).toMatch(/SidecarCrashLoop/);
    expect(waves.find(({ name: wave }) => wave === 'first')?.phase).not.toBe('Completed');
    expect(await fleet.profiles()).toEqual(fleet.allOn(former ?? ''));
    for (const key of earlyServices) await pinion().ready('PinterestService', 'early', key, 60_000);
    expect(await Promise.all(lateServices.map((one) => kubectl.uids(one)))).toEqual(untouched);
    const { changed, most } = factsOfHistory(await changesOf(pinion(), mark));
    // There and back: nothing else was reached.
    expect(changed.toSorted()).toEqual([...firstWave, ...firstWave].toSorted());
    expect(most).toBeLessThanOrEqual(smallWaves.budget?.workloads ?? 0);
  }, 240_000);
}

/** Defines a test of an outage of a node during a rollout. */
export function defineNodeOutage(fleet: RolloutFleet): void {
  const { pinion } = fleet;
  const soaking: Rollouts = { ...wholeWaves, waves: [{ name: 'first', projects: ['early'], soak: '4s' }] };

  test('an outage of a node pauses a rollout and takes nothing back; it continues when the node is ready', async () => {
    // Workloads that are unready before a rollout are in a wave of their own.
    await fleet.ready();
    const [tag] = await fleet.tags('late', 'ads');
    await fleet.apply(rolloutProfile('outage', '71'));
    const mark = await markHistory(pinion());
    const name = await fleet.change(rolloutPlatform('outage', { rollouts: soaking }));
    await fleet.wave(name, 'first', 'Soaking');
    const { nodes } = pinion().cluster;
    await nodes.setReady('node-0', false);
    const { reason, message } = await fleet.inPhase(name, 'Paused');
    expect({ reason, message }).toEqual({
      reason: 'ClusterUnhealthy',
      message: expect.stringMatching(
        /workloads that were not released have become unready.*continues by itself/,
      ) as string,
    });
    await delay(5000);
    expect(await fleet.rollout(name, () => true)).toMatchObject({ phase: 'Paused' });
    expect(factsOfHistory(await changesOf(pinion(), mark)).changed.toSorted()).toEqual(firstWave);
    await nodes.setReady('node-0', true);
    await fleet.inPhase(name, 'Completed');
    expect(await fleet.profiles()).toEqual(fleet.allOn('outage'));
    const changes = await changesOf(pinion(), mark);
    expect(changes.filter((change) => change.hasNewTemplate && change.tag === tag)).toEqual([]);
  }, 240_000);
}

/** Defines a test of a rollout whose health is stale, because the controllers of Kubernetes do not run. */
export function defineStaleHealth(fleet: RolloutFleet): void {
  const { pinion } = fleet;

  test('without the controllers of Kubernetes nothing is released beyond the budget, and no wave completes; a rollback takes all back', async () => {
    await fleet.ready();
    const [former] = Object.values(await fleet.profiles()) as string[];
    await fleet.apply(rolloutProfile('stale', '81'));
    const mark = await markHistory(pinion());
    const budget = { workloads: 1, workloadsPerProject: 1 };
    const manager = pinion().cluster.part('kube-controller-manager');
    manager.pause();
    let name: string;
    try {
      name = await fleet.change(rolloutPlatform('stale', { rollouts: { ...wholeWaves, budget } }));
      await waitFor('the first release', async () => (await changesOf(pinion(), mark)).length > 0);
      await delay(8000);
      const { waves = [], transit = [] } = await fleet.rollout(name, ({ phase }) => phase === 'Progressing');
      expect(transit).toHaveLength(1);
      expect(waves.map(({ phase }) => phase)).toEqual(['Progressing', 'Pending', 'Pending']);
      expect(factsOfHistory(await changesOf(pinion(), mark)).changed).toHaveLength(1);
    } finally {
      manager.resume();
    }
    await fleet.wave(name, 'first', 'Soaking', 'Completed');
    const before = factsOfHistory(await changesOf(pinion(), mark));
    expect(before).toMatchObject({ most: 1 });
    expect(before.changed.slice(0, 2).toSorted()).toEqual(firstWave);
    // People on call take it back.
    await fleet.patch(name, { rollback: true });
    await fleet.inPhase(name, 'RolledBack');
    await fleet.ready();
    expect(await fleet.profiles()).toEqual(fleet.allOn(former ?? ''));
    const after = factsOfHistory(await changesOf(pinion(), mark));
    expect(after).toMatchObject({ most: 1 });
  }, 240_000);
}
