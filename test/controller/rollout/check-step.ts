import { type RolloutStatus } from '../../../lib/controller/rollout/rollout-workload';
import { type RolloutPolicy } from '../../../lib/api';
import { assignWaves, isRolloutLeft, secondsOf } from '../../../lib/expand';
import { type Circumstances, type StoredRollout, type WrittenStep } from './simulated-controller';
import { type SimulatedFleet } from './simulated-fleet';

type Transit = NonNullable<RolloutStatus['transit']>;

/** Workloads that each rollout has released. */
export type Released = Map<object, Set<string>>;

/** Fails unless a step of a rollout keeps every promise of its policy. */
export function checkStep(step: WrittenStep, { fleet, released, circumstances, now }: CheckContext): void {
  const { rollout, previous, status } = step;
  const known = new Set((previous?.transit ?? []).map(({ uid }) => uid));
  const fresh = (status.transit ?? []).filter(({ uid }) => !known.has(uid));
  const before = released.get(rollout) ?? new Set();
  expect(fresh.filter(({ uid }) => before.has(uid))).toEqual([]);
  released.set(rollout, new Set([...before, ...fresh.map(({ uid }) => uid)]));
  const left = leftOf(step, { fleet, released, circumstances, now });
  // The release of a workload that changes already changes no more.
  const adds = fresh.some(({ uid }) => !left.has(uid));
  if (adds) checkBudget(step, awaitedOf(status, rollout.spec.policy, now), left);
  expect(status.transit?.length ?? 0).toBeLessThanOrEqual(128);
  checkHolds(step, fresh, circumstances, now);
  checkWaves(step, fresh, now);
  checkMotion(step, fleet, released);
  if (status.phase === 'Failed') checkFailure(step);
}

/** What a step is checked against. */
export interface CheckContext {
  readonly fleet: SimulatedFleet;
  readonly released: Released;
  readonly circumstances: Circumstances;
  readonly now: number;
}

/** Releases in progress: a workload that was not ready before and does not move for long changes nothing any more. */
const awaitedOf = ({ transit = [], unready = [] }: RolloutStatus, policy: RolloutPolicy, now: number): Transit =>
  transit.filter(
    ({ uid, since }) => !unready.includes(uid) || now - Date.parse(since) <= secondsOf(policy.stalledAfter) * 1000,
  );

function checkBudget({ rollout, workloads, previous }: WrittenStep, transit: Transit, left: ReadonlySet<string>): void {
  const { budget } = rollout.spec.policy;
  const given = new Set((previous?.transit ?? []).map(({ uid }) => uid));
  const isFresh = transit.some(({ uid }) => !given.has(uid));
  if (!isFresh) return;
  const moving = workloads.filter(({ uid }) => transit.some((entry) => entry.uid === uid));
  expect(moving.length).toBeLessThanOrEqual(budget.workloads);
  for (const { project } of moving)
    expect(moving.filter((one) => one.project === project).length).toBeLessThanOrEqual(budget.workloadsPerProject);
  // What stopped rollouts have released counts, too.
  expect(new Set([...transit.map(({ uid }) => uid), ...left]).size).toBeLessThanOrEqual(budget.workloads);
  const pods = moving.reduce((sum, workload) => sum + workload.pods, 0);
  expect(moving.length === 1 || pods <= budget.pods).toBe(true);
}

/** Returns the workloads that stopped rollouts have released and the cluster still changes. */
function leftOf({ rollout }: WrittenStep, { fleet, released, now }: CheckContext): ReadonlySet<string> {
  const left = new Set<string>();
  for (const [other, uids] of released as ReadonlyMap<StoredRollout, ReadonlySet<string>>) {
    const { spec, status: ended } = other;
    if (other === rollout || spec.rollbackOf !== undefined || !isRolloutLeft(ended)) continue;
    if (now - Date.parse(ended?.ended ?? '') > secondsOf(spec.policy.stalledAfter) * 1000) continue;
    for (const uid of uids) if (isChanging(uid, spec.revision, fleet)) left.add(uid);
  }
  return left;
}

/** Returns whether pods of a workload change to a revision, as far as the controller can see that they do not fail. */
function isChanging(uid: string, revision: string, { inMotion, workloads, seen }: SimulatedFleet): boolean {
  const known = seen.find((one) => one.uid === uid);
  const isAtRevision = workloads.get(uid)?.objects === revision && known?.objects === revision;
  return isAtRevision && inMotion.has(uid) && known.failure === undefined;
}

const isEmergency = ({ rollout }: WrittenStep, now: number): boolean =>
  rollout.spec.emergency !== undefined && now < Date.parse(rollout.spec.emergency.until);

function checkHolds(
  step: WrittenStep,
  fresh: Transit,
  { canaryHold, freeze, impact }: Circumstances,
  now: number,
): void {
  const { spec } = step.rollout;
  if (spec.paused || spec.aborted || spec.rollback) expect(fresh).toEqual([]);
  if (isEmergency(step, now) || spec.rollbackOf !== undefined) return;
  const isUnapproved = impact !== undefined && impact !== spec.approvedImpact;
  if (isUnapproved || canaryHold !== undefined || freeze !== undefined) expect(fresh).toEqual([]);
}

/** Checks that nothing of a wave is released before the earlier ones are complete and have been healthy for their soak time. */
function checkWaves(step: WrittenStep, fresh: Transit, now: number): void {
  const { rollout, workloads, status, previous } = step;
  const { spec } = rollout;
  if (spec.rollbackOf !== undefined) return;
  const unready = new Set(status.unready);
  const known = new Set((previous?.transit ?? []).map(({ uid }) => uid));
  const members = workloads.map((workload) => ({
    ...workload,
    wasUnready: unready.has(workload.uid) || !(workload.isReady || workload.isMoved || known.has(workload.uid)),
  }));
  const isCreatedSince = ({ created = '' }: { readonly created?: string | undefined }): boolean =>
    created > (status.started ?? '');
  const waves = [
    ...assignWaves(
      spec.policy,
      spec.revision,
      members.filter((member) => !isCreatedSince(member)),
    ),
    { name: 'created', soak: '0s', members: members.filter(isCreatedSince) },
  ];
  const written = new Map((status.waves ?? []).map((wave) => [wave.name, wave]));
  const place = (uid: string): number => waves.findIndex((wave) => wave.members.some((member) => member.uid === uid));
  for (const { uid } of fresh)
    for (const earlier of waves.slice(0, place(uid)))
      if (earlier.members.length > 0) expect(written.get(earlier.name)?.phase).toBe('Completed');
  for (const wave of status.waves ?? []) {
    const was = previous?.waves?.find(({ name }) => name === wave.name);
    if (wave.phase !== 'Completed' || was?.phase === 'Completed' || wave.workloads === 0) continue;
    const soak = secondsOf(waves.find(({ name }) => name === wave.name)?.soak ?? '0s') * 1000;
    if (!isEmergency(step, now)) expect(now - Date.parse(wave.changed ?? '')).toBeGreaterThanOrEqual(soak);
  }
}

/** Checks the budget against the pods of the cluster, whatever the ledger says. */
function checkMotion({ rollout, status }: WrittenStep, fleet: SimulatedFleet, released: Released): void {
  const unready = new Set(status.unready);
  const moving = [...(released.get(rollout) ?? [])].filter((uid) => fleet.inMotion.has(uid) && !unready.has(uid));
  // What fails within maxFailures is given up in the end.
  const { budget, maxFailures } = rollout.spec.policy;
  expect(moving.length).toBeLessThanOrEqual(budget.workloads + maxFailures);
}

function checkFailure({ rollout, workloads, status, previous }: WrittenStep): void {
  const unready = new Set(status.unready);
  const inTransit = new Set((previous?.transit ?? []).map(({ uid }) => uid));
  const counted = workloads.filter(({ uid }) => !unready.has(uid));
  const released = counted.filter(({ uid, isMoved }) => isMoved || inTransit.has(uid));
  const failed = released.filter(({ failure }) => failure !== undefined);
  const peers = counted.filter((one) => !released.includes(one));
  expect(rollout.spec.rollbackOf).toBeUndefined();
  expect(failed.length).toBeGreaterThan(rollout.spec.policy.maxFailures);
  // Not if all peers fail likewise.
  expect(peers.length > 0 && peers.every(({ isReady }) => !isReady)).toBe(false);
}
