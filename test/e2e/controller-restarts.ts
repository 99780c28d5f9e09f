import { setTimeout as delay } from 'node:timers/promises';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { SeededRandom } from './chaos/seeded-random';
import { type ImageWatch } from './image-watch';
import { isTrue, type LiveCustomResource, type PinionCluster } from './pinion-suite';
import { evil, type verifiedProject } from './verified-project';

/** A step of a story, and what holds after it, whenever the controller was killed. */
export interface RestartStep {
  readonly name: string;
  act(): Promise<void>;
  /** `Verified`, `BreakGlass`, or why the spec is refused. */
  readonly state: string;
  /** Image that the workload `cart` runs afterwards. */
  readonly image: string;
  /** Workload with that state. @default cart */
  readonly workload?: string;
}

/** What a run of steps needs. */
export interface RestartRun {
  readonly pinion: PinionCluster;
  readonly project: ReturnType<typeof verifiedProject>;
  readonly watch: ImageWatch;
  readonly seed: number;
  /** Kills per step: the first during it, the others after it. */
  readonly kills: number;
}

/** Carries out steps, kills the controller at random moments during and between them, and checks the cluster each time. */
export async function runWithRestarts(steps: readonly RestartStep[], run: RestartRun): Promise<void> {
  const random = new SeededRandom(run.seed);
  for (const step of steps)
    for (let kill = 0; kill < run.kills; kill++) {
      const moment = random.integer(0, 1_500);
      try {
        await Promise.all([
          kill === 0 ? step.act() : undefined,
          delay(moment).then(() => run.pinion.replaceController()),
        ]);
        await check(step, run);
      } catch (cause) {
        const message = `${step.name}, killed after ${moment} ms (kill ${kill + 1}): repeat with PINION_SEED=${run.seed}`;
        throw new Error(`${message}\n${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    }
}

async function check(step: RestartStep, { project, pinion, watch }: RestartRun): Promise<void> {
  const live = await project.until((one) => hasState(one, step.state), step.workload);
  const verified = project.condition(live);
  // The status says why.
  if (step.state !== 'Verified') {
    expect(verified).toMatchObject({ status: 'False', reason: step.state });
    expect(verified?.message).toMatch(/\w+ \w+/);
  }
  if (!['Verified', 'BreakGlass'].includes(step.state)) {
    expect(project.condition(live, 'Ready')).toMatchObject({ status: 'False', reason: 'Unverified' });
    expect(live.status?.cause).toMatchObject({ reason: 'Unverified' });
  }
  await waitFor(`cart to run ${step.image}`, async () => (await project.image()) === step.image, { timeout: 60_000 });
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
  const metadata = { name: 'cart', namespace: 'shop' };
  expectStatus(await pinion.cluster.client.delete({ ...budget, metadata }), [200]);
  await waitFor('the object to be restored', () => project.read(budget.kind, 'cart', budget.apiVersion));
  expect(JSON.stringify(await project.records())).not.toContain(evil);
  expect(watch.problems).toEqual([]);
}

const hasState = (live: LiveCustomResource, state: string): boolean =>
  state === 'Verified' || state === 'BreakGlass'
    ? isTrue(live, state) && isTrue(live, 'Ready')
    : (live.status?.conditions ?? []).some(({ type, reason }) => type === 'Verified' && reason === state);
