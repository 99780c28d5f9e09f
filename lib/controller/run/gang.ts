import { secondsOf } from '../../expand';
import { type RunInput, type FreeNode, type GangClaim, type MemberNeed, type RunRecord } from './run-plan';
import { type GangFacts, insufficientCapacity, gangTimedOut } from './gang-issues';
import { gangPolicyOf } from '../kinds/kind-controllers';
import { memberNeed } from './member-need';
import { type ReplicatedJob } from './replicated-job';
import { packMembers } from './pack-members';
import { type BlockingIssue } from '../plan/plan-step';
import { exponentialDelay } from '../../process';

type Gang = NonNullable<RunRecord['gang']>;

/** State of a gang start. */
export interface GangStart {
  readonly gang?: Gang;
  /** Whether members must not run. */
  readonly held: boolean;
  /** Whether the record must be written before the next step. */
  readonly recordFirst: boolean;
  readonly claim?: GangClaim;
  /** Requeue delay in milliseconds. */
  readonly requeueAfter?: number;
  readonly blockingIssue?: BlockingIssue;
}

/** Requeue delay of a gang that waits for capacity, in milliseconds. */
const capacityPollInterval = 10_000;
/** Requeue delay while the free capacity is unknown, in milliseconds: every gang is reconciled at once. */
const unknownCapacityDelay = 100;
/** Delays after withdrawals, in milliseconds. */
const withdrawalDelay = { start: 20_000, cap: 600_000 };

/** Returns the back-off of a gang after a number of withdrawals, in milliseconds. */
const backOff = (attempts: number): number => (attempts === 0 ? 0 : exponentialDelay(attempts - 1, withdrawalDelay));

/**
 * Starts a gang: all members wait until the required number of them fits at once, then all are released.
 *
 * The capacity is claimed in the record first and checked again before any member starts, so that two gangs never start
 * on the same capacity; a gang that is not scheduled in time is withdrawn, with exponential back-off.
 */
export function gangStart(input: RunInput, replicatedJobs: readonly ReplicatedJob[], record: RunRecord): GangStart {
  const { workload } = input;
  const policy = gangPolicyOf(workload.kind);
  const gang = policy?.settings(workload);
  if (!policy || !gang || input.schedulerSupportsGangs) return { held: false, recordFirst: false };
  if (record.outcome !== undefined)
    return { ...(record.gang && { gang: record.gang }), held: false, recordFirst: false };
  if (workload.spec.suspend) return { held: true, recordFirst: false };
  const needs = replicatedJobs.map((replicatedJob) => memberNeed(replicatedJob, policy.leads(workload, replicatedJob)));
  const minMembers = gang.minAvailable ?? needs.reduce((sum, { count }) => sum + count, 0);
  const facts: GangFacts = { input, replicatedJobs, needs, minMembers, timeout: secondsOf(gang.timeout) * 1000 };
  const gangState = record.gang ?? { phase: 'Waiting', since: isoTime(input.now), attempts: 0 };
  if (gangState.phase === 'Started') return releasedStart(gangState);
  if (gangState.phase === 'Waiting') return startWaiting(gangState, facts);
  return isReleased(replicatedJobs) ? startReleased(gangState, facts) : startRecorded(gangState, facts);
}

type StartDetails = Pick<GangStart, 'claim' | 'requeueAfter' | 'blockingIssue'>;

const heldStart = (gang: Gang, details: StartDetails): GangStart => ({
  gang,
  held: true,
  recordFirst: false,
  ...details,
});
const releasedStart = (gang: Gang, details: StartDetails = {}): GangStart => ({
  gang,
  held: false,
  recordFirst: false,
  ...details,
});
const recordedTransition = (gang: Gang, details: StartDetails): GangStart => ({
  gang,
  held: true,
  recordFirst: true,
  ...details,
});

/** Handles a waiting gang: it waits until its pods are deleted, its back-off has elapsed, and there is capacity. */
function startWaiting(gang: Gang, facts: GangFacts): GangStart {
  const { input, needs } = facts;
  // Its pods are not deleted yet and may still be scheduled, so no other gang may use their capacity.
  if (mayStillBePlaced(facts))
    return heldStart(gang, { claim: firmClaim(gang, unplacedNeeds(facts)), requeueAfter: capacityPollInterval });
  const delay = Date.parse(gang.since) + backOff(gang.attempts) - input.now;
  if (delay > 0)
    return heldStart(gang, { requeueAfter: delay, blockingIssue: gangTimedOut(facts, gang.attempts, delay) });
  const freeNodes = input.freeNodes();
  const packing = tryPacking(facts, freeNodes ?? []);
  if (!packing.enough)
    return heldStart(gang, {
      requeueAfter: freeNodes ? capacityPollInterval : unknownCapacityDelay,
      blockingIssue: insufficientCapacity(facts, packing.placed),
    });
  const nextGang: Gang = { ...gang, phase: 'Starting', since: isoTime(input.now) };
  return recordedTransition(nextGang, { claim: tentativeClaim(nextGang, needs) });
}

/** Handles a starting gang, whose start is recorded: releases it if the capacity is still free. */
function startRecorded(gang: Gang, facts: GangFacts): GangStart {
  const { input, needs } = facts;
  const freeNodes = input.freeNodes();
  // Its start stays recorded until the capacity is known to be insufficient.
  if (!freeNodes) return heldStart(gang, { claim: tentativeClaim(gang, needs), requeueAfter: unknownCapacityDelay });
  const packing = tryPacking(facts, freeNodes);
  if (!packing.enough)
    return recordedTransition(
      { ...gang, phase: 'Waiting' },
      { requeueAfter: capacityPollInterval, blockingIssue: insufficientCapacity(facts, packing.placed) },
    );
  return releasedStart(gang, { claim: firmClaim(gang, needs), requeueAfter: Math.max(0, timeLeft(gang, facts)) });
}

/** Handles a released gang: it has started when enough members are scheduled; if that takes too long, it is withdrawn. */
function startReleased(gang: Gang, facts: GangFacts): GangStart {
  const { input, minMembers } = facts;
  if (placedMembers(facts).size >= minMembers)
    return releasedStart({ ...gang, phase: 'Started', since: isoTime(input.now) });
  const claim = firmClaim(gang, unplacedNeeds(facts));
  const remaining = timeLeft(gang, facts);
  if (remaining > 0) return releasedStart(gang, { claim, requeueAfter: remaining });
  const attempts = gang.attempts + 1;
  return recordedTransition(
    { phase: 'Waiting', since: isoTime(input.now), attempts },
    { claim, requeueAfter: backOff(attempts) },
  );
}

/** Returns the milliseconds within which the members must be scheduled. */
const timeLeft = ({ since }: Gang, { input, timeout }: GangFacts): number => Date.parse(since) + timeout - input.now;

const tentativeClaim = ({ since }: Gang, members: readonly MemberNeed[]): GangClaim => ({
  since,
  firm: false,
  members,
});
const firmClaim = ({ since }: Gang, members: readonly MemberNeed[]): GangClaim => ({ since, firm: true, members });

const isSuspended = (job: { readonly [field: string]: unknown }): boolean =>
  (job['spec'] as { readonly suspend?: boolean } | undefined)?.suspend === true;

/** Returns whether any Job of the gang exists and is not suspended. */
const isReleased = (replicatedJobs: readonly ReplicatedJob[]): boolean =>
  replicatedJobs.some(({ child }) => child && !isSuspended(child.content()));

/** Returns whether Jobs of a waiting gang are not suspended yet, or their pods may still get a node. */
function mayStillBePlaced({ input, replicatedJobs }: GangFacts): boolean {
  const uids = new Set(replicatedJobs.flatMap(({ child }) => (child ? [child.uid] : [])));
  return (
    isReleased(replicatedJobs) ||
    input.pods.some(
      ({ controller, node, phase }) => node === undefined && phase === 'Pending' && uids.has(controller?.uid ?? ''),
    )
  );
}

/** Returns the members that have a node or have finished, as `job/index`. */
function placedMembers({ input, replicatedJobs }: GangFacts): Set<string> {
  const names = new Map(replicatedJobs.flatMap(({ name, child }) => (child ? [[child.uid, name]] : [])));
  const placed = new Set<string>();
  for (const { name, progress } of replicatedJobs)
    for (const index of progress?.succeeded ?? []) placed.add(`${name}/${index}`);
  for (const { controller, node, index, deleting, phase } of input.pods) {
    const job = controller && names.get(controller.uid);
    if (job !== undefined && node !== undefined && !deleting && phase !== 'Failed') placed.add(`${job}/${index ?? 0}`);
  }
  return placed;
}

/** Returns the needs of members that have no node yet. */
function unplacedNeeds(facts: GangFacts): MemberNeed[] {
  const jobs = [...placedMembers(facts)].map((member) => member.slice(0, member.lastIndexOf('/')));
  return facts.needs.map((need) => ({ ...need, count: need.count - jobs.filter((job) => job === need.job).length }));
}

/** Returns whether enough members fit at once, including the leader, and how many fit. */
function tryPacking(
  { needs, minMembers }: GangFacts,
  freeNodes: readonly FreeNode[],
): { enough: boolean; placed: number } {
  const { placed } = packMembers(needs, freeNodes);
  const total = [...placed.values()].reduce((sum, count) => sum + count, 0);
  const leader = needs.find((need) => need.leader);
  return { enough: total >= minMembers && (leader === undefined || (placed.get(leader.job) ?? 0) > 0), placed: total };
}

const isoTime = (time: number): string => new Date(time).toISOString();
