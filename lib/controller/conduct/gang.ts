import { parseQuantity, type PodTemplateSpec, type Quantity, type Workload } from '../../api';
import { podFootprint, secondsOf } from '../../expand';
import { leads } from './conduct-training-job';
import { type ConductInput, type FreeNode, type GangClaim, type MemberNeed, type RunRecord } from './conducted';
import { type Piece } from './piece';
import { placeMembers } from './placing';
import { type Obstacle } from '../plan/plan-step';

type Gang = NonNullable<RunRecord['gang']>;

/** How the start of all members together stands. */
export interface GangStart {
  readonly gang?: Gang;
  /** Members must not run. */
  readonly held: boolean;
  /** The next step begins with the record. */
  readonly turns: boolean;
  readonly claim?: GangClaim;
  /** Milliseconds after which to look again. */
  readonly again?: number;
  readonly obstacle?: Obstacle;
}

/** Time after which a gang that waits asks for room again, in milliseconds. */
const lookAgain = 10_000;
/** Time after which a gang asks again while the room is not known, in milliseconds: every gang has a pass of its own at once. */
const askAgain = 100;
/** Wait after the first withdrawal, doubled by each further one up to the longest, in milliseconds. */
const firstBackOff = 20_000;
const longestBackOff = 600_000;

/** Milliseconds that a gang waits after so many withdrawals. */
export const backOff = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(longestBackOff, firstBackOff * 2 ** (attempts - 1));

/**
 * Starts a gang: all members wait until as many as must start together fit at once, then all are let go.
 *
 * The room is claimed with the record first and looked at again before anybody starts, so that two gangs never start
 * into the same room; a gang that is not placed in time is withdrawn and waits longer each time.
 */
export function gangStart(input: ConductInput, pieces: readonly Piece[], record: RunRecord): GangStart {
  const workload = input.workload as Workload<'PinterestTrainingJob'>;
  const { gang, suspend } = workload.spec;
  if (gang === undefined || input.schedulerKnowsGangs) return { held: false, turns: false };
  if (record.outcome !== undefined) return { ...(record.gang && { gang: record.gang }), held: false, turns: false };
  if (suspend) return { held: true, turns: false };
  const needs = pieces.map((piece) => needOf(workload, piece));
  const least = gang.minAvailable ?? needs.reduce((sum, { count }) => sum + count, 0);
  const told: Told = { input, pieces, needs, least, timeout: secondsOf(gang.timeout) * 1000 };
  const standing = record.gang ?? { phase: 'waiting', since: iso(input.now), attempts: 0 };
  if (standing.phase === 'started') return { gang: standing, held: false, turns: false };
  return standing.phase === 'starting' ? starting(standing, told) : waiting(standing, told);
}

interface Told {
  readonly input: ConductInput;
  readonly pieces: readonly Piece[];
  readonly needs: readonly MemberNeed[];
  readonly least: number;
  /** Milliseconds. */
  readonly timeout: number;
}

function waiting(gang: Gang, told: Told): GangStart {
  const { input, pieces, needs, least } = told;
  // Withdrawn, but not gone yet: its pods may still be placed, so that nobody else may count on their room.
  if (lingers(told))
    return {
      gang,
      held: true,
      turns: false,
      claim: firm(gang, unplaced(needs, placedMembers(input, pieces))),
      again: lookAgain,
    };
  const wait = Date.parse(gang.since) + backOff(gang.attempts) - input.now;
  if (wait > 0) return { gang, held: true, turns: false, again: wait, obstacle: withdrawn(told, gang, wait) };
  const room = input.room();
  const found = fit(needs, least, room ?? []);
  if (!found.enough)
    return { gang, held: true, turns: false, again: room ? lookAgain : askAgain, obstacle: noRoom(told, found.placed) };
  return {
    gang: { ...gang, phase: 'starting', since: iso(input.now) },
    held: true,
    turns: true,
    claim: { since: iso(input.now), firm: false, members: needs },
  };
}

function starting(gang: Gang, told: Told): GangStart {
  const { input, pieces, needs, least, timeout } = told;
  if (!isLetGo(pieces)) {
    const room = input.room();
    // Its turn stays on record until it is known that there is no room.
    if (!room)
      return {
        gang,
        held: true,
        turns: false,
        claim: { since: gang.since, firm: false, members: needs },
        again: askAgain,
      };
    const found = fit(needs, least, room);
    if (found.enough)
      return {
        gang,
        held: false,
        turns: false,
        claim: firm(gang, needs),
        again: Math.max(0, Date.parse(gang.since) + timeout - input.now),
      };
    return {
      gang: { ...gang, phase: 'waiting' },
      held: true,
      turns: true,
      again: lookAgain,
      obstacle: noRoom(told, found.placed),
    };
  }
  const at = placedMembers(input, pieces);
  if (at.size >= least)
    return { gang: { ...gang, phase: 'started', since: iso(input.now) }, held: false, turns: false };
  const left = Date.parse(gang.since) + timeout - input.now;
  if (left <= 0) {
    const next: Gang = { phase: 'waiting', since: iso(input.now), attempts: gang.attempts + 1 };
    return {
      gang: next,
      held: true,
      turns: true,
      claim: firm(gang, unplaced(needs, at)),
      again: backOff(next.attempts),
    };
  }
  return { gang, held: false, turns: false, claim: firm(gang, unplaced(needs, at)), again: left };
}

const firm = ({ since }: Gang, members: readonly MemberNeed[]): GangClaim => ({ since, firm: true, members });

const isHeld = (job: { readonly [field: string]: unknown }): boolean =>
  (job['spec'] as { readonly suspend?: boolean } | undefined)?.suspend === true;

/** Whether any Job of the gang is there that does not wait. */
const isLetGo = (pieces: readonly Piece[]): boolean => pieces.some(({ child }) => child && !isHeld(child.content()));

/** Whether Jobs of a gang that waits have not been stopped yet, or pods of them may still get a node. */
function lingers({ input, pieces }: Told): boolean {
  const uids = new Set(pieces.flatMap(({ child }) => (child ? [child.uid] : [])));
  return (
    isLetGo(pieces) ||
    input.pods.some(
      ({ controller, node, phase }) => node === undefined && phase === 'Pending' && uids.has(controller?.uid ?? ''),
    )
  );
}

/** Members that have a node or have done their work, as `job/index`. */
function placedMembers({ pods }: ConductInput, pieces: readonly Piece[]): Set<string> {
  const names = new Map(pieces.flatMap(({ name, child }) => (child ? [[child.uid, name]] : [])));
  const placed = new Set<string>();
  for (const { name, standing } of pieces)
    for (const index of standing?.succeeded ?? []) placed.add(`${name}/${index}`);
  for (const { controller, node, index, deleting, phase } of pods) {
    const job = controller && names.get(controller.uid);
    if (job !== undefined && node !== undefined && !deleting && phase !== 'Failed') placed.add(`${job}/${index ?? 0}`);
  }
  return placed;
}

const unplaced = (needs: readonly MemberNeed[], placed: ReadonlySet<string>): MemberNeed[] =>
  needs.map((need) => ({
    ...need,
    count: need.count - [...placed].filter((place) => place.slice(0, place.lastIndexOf('/')) === need.job).length,
  }));

/** Whether enough members find room at once, those that lead among them. */
function fit(
  needs: readonly MemberNeed[],
  least: number,
  room: readonly FreeNode[],
): { enough: boolean; placed: number } {
  const { placed } = placeMembers(needs, room);
  const total = [...placed.values()].reduce((sum, count) => sum + count, 0);
  const leader = needs.find((need) => need.leads);
  return { enough: total >= least && (leader === undefined || (placed.get(leader.job) ?? 0) > 0), placed: total };
}

function needOf(workload: Workload<'PinterestTrainingJob'>, piece: Piece): MemberNeed {
  const { template } = piece.object['spec'] as { template: PodTemplateSpec };
  const pod = template.spec ?? { containers: [] };
  return {
    job: piece.name,
    count: piece.count,
    leads: leads(workload, piece),
    labels: template.metadata?.labels ?? {},
    pod,
    requests: Object.fromEntries(
      Object.entries(podFootprint(pod).requests).map(([resource, amount]) => [resource, wholeNumber(resource, amount)]),
    ),
  };
}

const nanosPerUnit = parseQuantity(1)?.nanos ?? 1_000_000_000n;

/** CPU in millicores, all else in units; rounded up, as the scheduler does. */
function wholeNumber(resource: string, { nanos }: Quantity): number {
  const unit = resource === 'cpu' ? nanosPerUnit / 1000n : nanosPerUnit;
  return Number((nanos + unit - 1n) / unit);
}

const iso = (time: number): string => new Date(time).toISOString();

function noRoom({ input, needs, least }: Told, placed: number): Obstacle {
  const asked = [
    ...new Set(needs.map(({ job, count, requests }) => `${count} of ${job} with ${amounts(requests)} each`)),
  ].join('; ');
  return waits(
    input,
    `waits for room for ${least} members at once, and ${placed} would find some now (${asked}); add nodes, free some, or lower what members ask for or gang.minAvailable`,
  );
}

const withdrawn = ({ input, least, timeout }: Told, { attempts }: Gang, wait: number): Obstacle =>
  waits(
    input,
    `was withdrawn ${attempts} times because not ${least} members had a node within ${timeout / 1000}s; it tries again in ${Math.ceil(wait / 1000)}s. Add nodes, or raise gang.timeout where nodes take longer to come`,
  );

const amounts = (requests: Readonly<Record<string, number>>): string =>
  Object.entries(requests)
    .map(([resource, amount]) => `${resource} ${resource === 'cpu' ? `${amount}m` : amount}`)
    .join(', ') || 'no requests';

const waits = ({ workload }: ConductInput, message: string): Obstacle => ({
  reason: 'GangWaits',
  kind: workload.kind,
  name: workload.metadata.name,
  message,
  owner: 'capacity',
});
