import { secondsOf } from '../../expand';
import { type RunInput, type FreeNode, type GangClaim, type MemberNeed, type RunRecord } from './run-plan';
import { type GangFacts, insufficientCapacity, gangTimedOut } from './gang-issues';
import { gangPolicyOf } from '../kinds/kind-controllers';
import { needOf } from './member-need';
import { type ReplicatedJob } from './replicated-job';
import { packMembers } from './pack-members';
import { type BlockingIssue } from '../plan/plan-step';
import { exponentialDelay } from '../../process';

type Gang = NonNullable<RunRecord['gang']>;

/** State of the start of all members together. */
export interface GangStart {
  readonly gang?: Gang;
  /** Whether members must not run. */
  readonly held: boolean;
  /** Whether the next step requires that the record is written first. */
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
 * on the same capacity; a gang that is not placed in time is withdrawn, with a growing back-off.
 */
export function gangStart(input: RunInput, replicatedJobs: readonly ReplicatedJob[], record: RunRecord): GangStart {
  const { workload } = input;
  const policy = gangPolicyOf(workload.kind);
  const gang = policy?.settings(workload);
  if (!policy || !gang || input.schedulerKnowsGangs) return { held: false, recordFirst: false };
  if (record.outcome !== undefined)
    return { ...(record.gang && { gang: record.gang }), held: false, recordFirst: false };
  if (workload.spec.suspend) return { held: true, recordFirst: false };
  const needs = replicatedJobs.map((replicatedJob) => needOf(replicatedJob, policy.leads(workload, replicatedJob)));
  const least = gang.minAvailable ?? needs.reduce((sum, { count }) => sum + count, 0);
  const facts: GangFacts = { input, replicatedJobs, needs, least, timeout: secondsOf(gang.timeout) * 1000 };
  const standing = record.gang ?? { phase: 'Waiting', since: iso(input.now), attempts: 0 };
  if (standing.phase === 'Started') return free(standing);
  if (standing.phase === 'Waiting') return waiting(standing, facts);
  return isReleased(replicatedJobs) ? placing(standing, facts) : starting(standing, facts);
}

type Rest = Pick<GangStart, 'claim' | 'requeueAfter' | 'blockingIssue'>;

const held = (gang: Gang, rest: Rest): GangStart => ({ gang, held: true, recordFirst: false, ...rest });
const free = (gang: Gang, rest: Rest = {}): GangStart => ({ gang, held: false, recordFirst: false, ...rest });
const turned = (gang: Gang, rest: Rest): GangStart => ({ gang, held: true, recordFirst: true, ...rest });

/** Handles a waiting gang: until its pods are deleted, its back-off is over, and there is capacity. */
function waiting(gang: Gang, facts: GangFacts): GangStart {
  const { input, needs } = facts;
  // Withdrawn, but not deleted yet: its pods may still be placed, so no other gang may use their capacity.
  if (isStillPlaced(facts))
    return held(gang, { claim: firm(gang, unplaced(facts)), requeueAfter: capacityPollInterval });
  const wait = Date.parse(gang.since) + backOff(gang.attempts) - input.now;
  if (wait > 0) return held(gang, { requeueAfter: wait, blockingIssue: gangTimedOut(facts, gang.attempts, wait) });
  const freeNodes = input.freeNodes();
  const found = fit(facts, freeNodes ?? []);
  if (!found.enough)
    return held(gang, {
      requeueAfter: freeNodes ? capacityPollInterval : unknownCapacityDelay,
      blockingIssue: insufficientCapacity(facts, found.placed),
    });
  const next: Gang = { ...gang, phase: 'Starting', since: iso(input.now) };
  return turned(next, { claim: asked(next, needs) });
}

/** Handles a starting gang, whose start is recorded: releases it if the capacity is still free. */
function starting(gang: Gang, facts: GangFacts): GangStart {
  const { input, needs } = facts;
  const freeNodes = input.freeNodes();
  // Its start stays recorded until the capacity is known to be insufficient.
  if (!freeNodes) return held(gang, { claim: asked(gang, needs), requeueAfter: unknownCapacityDelay });
  const found = fit(facts, freeNodes);
  if (!found.enough)
    return turned(
      { ...gang, phase: 'Waiting' },
      { requeueAfter: capacityPollInterval, blockingIssue: insufficientCapacity(facts, found.placed) },
    );
  return free(gang, { claim: firm(gang, needs), requeueAfter: Math.max(0, timeLeft(gang, facts)) });
}

/** Handles a released gang: it has started when enough members have a node; if that takes too long, it is withdrawn. */
function placing(gang: Gang, facts: GangFacts): GangStart {
  const { input, least } = facts;
  if (placedMembers(facts).size >= least) return free({ ...gang, phase: 'Started', since: iso(input.now) });
  const claim = firm(gang, unplaced(facts));
  const left = timeLeft(gang, facts);
  if (left > 0) return free(gang, { claim, requeueAfter: left });
  const attempts = gang.attempts + 1;
  return turned({ phase: 'Waiting', since: iso(input.now), attempts }, { claim, requeueAfter: backOff(attempts) });
}

/** Returns the milliseconds until the members must have their nodes. */
const timeLeft = ({ since }: Gang, { input, timeout }: GangFacts): number => Date.parse(since) + timeout - input.now;

const asked = ({ since }: Gang, members: readonly MemberNeed[]): GangClaim => ({ since, firm: false, members });
const firm = ({ since }: Gang, members: readonly MemberNeed[]): GangClaim => ({ since, firm: true, members });

const isHeld = (job: { readonly [field: string]: unknown }): boolean =>
  (job['spec'] as { readonly suspend?: boolean } | undefined)?.suspend === true;

/** Returns whether any Job of the gang exists and is not suspended. */
const isReleased = (replicatedJobs: readonly ReplicatedJob[]): boolean =>
  replicatedJobs.some(({ child }) => child && !isHeld(child.content()));

/** Returns whether Jobs of a waiting gang are not suspended yet, or their pods may still get a node. */
function isStillPlaced({ input, replicatedJobs }: GangFacts): boolean {
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
function unplaced(facts: GangFacts): MemberNeed[] {
  const jobs = [...placedMembers(facts)].map((place) => place.slice(0, place.lastIndexOf('/')));
  return facts.needs.map((need) => ({ ...need, count: need.count - jobs.filter((job) => job === need.job).length }));
}

/** Returns whether enough members fit at once, the leader among them. */
function fit({ needs, least }: GangFacts, freeNodes: readonly FreeNode[]): { enough: boolean; placed: number } {
  const { placed } = packMembers(needs, freeNodes);
  const total = [...placed.values()].reduce((sum, count) => sum + count, 0);
  const leader = needs.find((need) => need.leader);
  return { enough: total >= least && (leader === undefined || (placed.get(leader.job) ?? 0) > 0), placed: total };
}

const iso = (time: number): string => new Date(time).toISOString();
