import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../chaos/seeded-random';
import { type RolloutFleet, rolloutPlatform, rolloutProfile, type RolloutStatus, smallWaves } from '../rollout-fleet';
import { changesOf, factsOfHistory, markHistory, type RecordedChange } from './object-history';
import { SupervisedController } from './supervised-controller';
import { type WriteFault } from './write-trap';

/** Number of writes of the controller in a rollout without faults, and the state that it leaves. */
export interface ReferenceRun {
  readonly writes: number;
  readonly state: object;
}

/** Defines tests of rollouts with kills of the controller, and of the API server on demand: one for each seed, or for PINION_SEED only. */
export function defineKilledRollouts(fleet: RolloutFleet, seeds: readonly number[], { server = false } = {}): void {
  const given = process.env['PINION_SEED'];
  describe(`while the controller ${server ? 'and the API server are' : 'is'} killed`, () => {
    let controller: SupervisedController;
    let reference: ReferenceRun;
    beforeAll(async () => {
      controller = await SupervisedController.start(fleet.pinion());
      reference = await referenceRun(fleet, controller);
    }, 300_000);
    afterAll(() => controller.release(), 60_000);
    test.each(given === undefined ? seeds : [Number(given)])(
      'stays within its budgets, moves each workload once, and ends as without kills (seed %i)',
      (seed) => killedRun(fleet, controller, reference, { seed, server }),
      400_000,
    );
  });
}

/** Servers whose connections a kill of the API server breaks. */
const clients = ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
const budget = { workloads: 3, workloadsPerProject: 2 } as const;
let profiles = 0;

/** Rolls a new profile out without a fault. */
export async function referenceRun(fleet: RolloutFleet, controller: SupervisedController): Promise<ReferenceRun> {
  const { changes, state } = await rollOut(fleet, controller, []);
  expectWithinBudgets(fleet, changes);
  return { writes: controller.trap.writes, state };
}

/**
 * Rolls a new profile out while the controller is killed at two of its writes and, on demand, the API server at a third, and compares what etcd
 * recorded, and the final state, with a run without faults.
 */
export async function killedRun(
  fleet: RolloutFleet,
  controller: SupervisedController,
  { writes, state: expected }: ReferenceRun,
  { seed, server: killsServer }: { readonly seed: number; readonly server: boolean },
): Promise<void> {
  const random = new SeededRandom(seed);
  const kills: string[] = [];
  const { cluster } = fleet.pinion();
  const server = cluster.part('kube-apiserver');
  let restarted: Promise<void> = Promise.resolve();
  const killServer = async (): Promise<void> => {
    await server.kill();
    restarted = delay(random.integer(0, 2_000)).then(async () => {
      await server.restart();
      // Their watches take up to a minute and a half to notice that the server is back.
      await Promise.all(clients.map((name) => cluster.part(name).restart()));
    });
  };
  const faultOf = (what: string, kill: () => Promise<void>): WriteFault => ({
    at: random.integer(1, writes),
    moment: random.of(['before', 'after']),
    kill: (write) => {
      kills.push(`${what} ${write}`);
      return kill();
    },
  });
  const faults = [
    faultOf('controller', () => controller.kill()),
    ...(killsServer ? [faultOf('API server', killServer)] : []),
    faultOf('controller', () => controller.kill()),
  ];
  try {
    const { changes, state } = await rollOut(fleet, controller, faults);
    await restarted;
    expect(kills.length).toBeGreaterThan(0);
    expectWithinBudgets(fleet, changes);
    expect(state).toEqual(expected);
  } catch (cause) {
    const message = `killed: ${kills.join('; ')}: repeat with PINION_SEED=${seed}`;
    throw new Error(`${message}\n${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    controller.trap.arm();
    await restarted;
    await controller.leads();
  }
}

async function rollOut(fleet: RolloutFleet, controller: SupervisedController, faults: readonly WriteFault[]) {
  profiles += 1;
  const tag = String(1000 + profiles);
  const profile = `killed-${tag}`;
  const former = await fleet.revisions();
  // For up to a minute after a restart, the API server rejects writes of profiles: it does not know the parameter of a policy yet.
  await patiently(() => fleet.apply(rolloutProfile(profile, tag)).then(() => true));
  const mark = await markHistory(fleet.pinion());
  controller.trap.arm(faults);
  const before = former?.rollout;
  await fleet.apply(rolloutPlatform(profile, { rollouts: { ...smallWaves, budget } }));
  const name = await patiently(async () => {
    const { rollout } = (await fleet.revisions()) ?? {};
    return rollout !== before && rollout;
  });
  await patiently(async () => {
    const status = (await fleet.pinion().read('PlatformRollout', '', name))?.status;
    return status?.phase === 'Completed';
  });
  await controller.leads();
  await fleet.ready();
  const { current, completed } = await patiently(async () => {
    const now = await fleet.revisions();
    return now && now.current === now.completed && now;
  });
  expect(current).toBe(completed);
  const changes = await changesOf(fleet.pinion(), mark);
  const names = {
    [current]: 'REVISION',
    ...(former && { [former.current]: 'FORMER' }),
    [name]: 'ROLLOUT',
    [profile]: 'PROFILE',
  };
  return { changes, state: await finalState(fleet, name, { ...names, [`logs:${tag}`]: 'logs:TAG' }) };
}

/** Polls for up to four minutes what an API server that restarts may fail to answer. */
async function patiently<T>(poll: () => Promise<T | false | undefined>): Promise<T> {
  const until = Date.now() + 240_000;
  let last: unknown;
  while (Date.now() < until) {
    const result = await poll().catch((error: unknown) => void (last = error));
    if (result !== undefined && result !== false) return result as T;
    await delay(200);
  }
  throw new Error('the rollout does not complete', { cause: last });
}

function expectWithinBudgets(fleet: RolloutFleet, changes: readonly RecordedChange[]): void {
  const { most, mostOfProject, changed } = factsOfHistory(changes);
  expect(most).toBeLessThanOrEqual(budget.workloads);
  expect(mostOfProject).toBeLessThanOrEqual(budget.workloadsPerProject);
  // Each exactly once.
  expect(changed.toSorted()).toEqual(fleet.movedKeys);
}

/** Returns what a rollout leaves, without what differs in each run: times, versions, and names by their roles. */
async function finalState(fleet: RolloutFleet, rollout: string, roles: Readonly<Record<string, string>>) {
  const pinion = fleet.pinion();
  const { status } = (await pinion.read('PlatformRollout', '', rollout)) ?? {};
  const { observedGeneration: _, started: _started, ended: _ended, waves, ...rest } = (status ?? {}) as RolloutStatus;
  const workloads = await Promise.all(
    fleet.moved.map(async ([kind, namespace, name]) => {
      const live = await pinion.read(kind, namespace, name);
      const { platformRevision, runtimeProfile, conditions = [] } = live?.status ?? {};
      const facts = conditions.map((condition) => `${condition.type} ${condition.status} ${condition.reason}`).sort();
      return [`${kind} ${name}`, { platformRevision, runtimeProfile, facts }] as const;
    }),
  );
  const objects = await Promise.all(
    ['early', 'late', 'machines', 'pinion-system'].map(async (namespace) => {
      const args = ['get', 'deployments,statefulsets,daemonsets', '-o', 'json'];
      const { items } = JSON.parse(await fleet.view(namespace).run(...args)) as { readonly items: readonly Child[] };
      return items.map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, template: spec.template }));
    }),
  );
  const phases = waves?.map(({ name, phase, workloads: count, completed }) => ({ name, phase, count, completed }));
  let text = JSON.stringify({ rollout: { ...rest, phases }, workloads: Object.fromEntries(workloads), objects });
  for (const [name, role] of Object.entries(roles)) text = text.replaceAll(name, role);
  return JSON.parse(text) as object;
}

interface Child {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: object };
}
