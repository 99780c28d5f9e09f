import { type KubernetesObject } from '../../expand';
import { type LiveObject, type OwnerReference } from '../../kube';
import { withAppliedHash, type HashedObject } from './applied-hash';
import { type Child } from '../observed/child';
import { growClaims } from './claim-plan';
import { claimsOfTemplate, claimTemplatesOf } from './claims-of-set';
import { changeStrategyOf } from './change-strategy-of';
import { isOnlyOne, pruneSteps, removal } from './prune-steps';
import { classifyOwnership } from './ownership';
import {
  type AppliedLookup,
  type BlockingIssue,
  type ReconcilePlan,
  type PlanInput,
  type PlanStep,
  type SettledChild,
} from './plan-step';
import { releasedFields } from './released-fields';
import { scaledBy, withReplicasKept } from './replicas-release';
import { satisfies } from './satisfies';
import { withoutRoutingSteps } from './without-routing-steps';
import { type ChangeStrategy } from './change-strategy';

/** Plan for one object. */
interface Part {
  readonly steps?: readonly PlanStep[];
  readonly obstacles?: readonly BlockingIssue[];
  readonly waits?: boolean;
  /** Object whose deletion it waits for. */
  readonly awaits?: Child;
  /** Hash of the object, if the child already matches it. */
  readonly settled?: string;
}

const nothing: Part = {};
const waiting: Part = { waits: true };

/** Desired object, as it is to be applied. */
interface Wanted extends HashedObject {
  /** Object from expand or from the run plan. */
  readonly bare: KubernetesObject;
  readonly owner: OwnerReference | undefined;
  readonly input: PlanInput;
  readonly appliedCache: AppliedLookup | undefined;
}

/**
 * Returns the steps from the observed to the desired objects. Pure: everything it finds out is in the result.
 *
 * An object is applied if it differs from what was applied last, or no longer satisfies it. Objects that another client
 * owns are not touched, and immutable fields have strategies of their own.
 */
export function plan(input: PlanInput): ReconcilePlan {
  const { desired, observed, owner, unowned, untouched, appliedCache } = input;
  const scaled = scaledBy(desired);
  const steps: PlanStep[] = [];
  const obstacles: BlockingIssue[] = [];
  const awaited: Child[] = [];
  const settled: SettledChild[] = [];
  let waits = false;
  for (const object of desired) {
    const { kind, metadata } = object;
    const child = observed.child(kind, metadata.name, metadata.namespace);
    if (child && untouched?.has(`${kind}/${metadata.name}`)) continue;
    const itsOwner = unowned?.has(`${kind}/${metadata.name}`) === true ? undefined : owner;
    const bare = withReplicasKept(object, child, scaled);
    const wanted: Wanted = { ...withAppliedHash(bare, itsOwner), bare, owner: itsOwner, input, appliedCache };
    const part = child ? existing(wanted, child) : created(wanted);
    steps.push(...(part.steps ?? []));
    obstacles.push(...(part.obstacles ?? []));
    waits ||= part.waits === true;
    if (part.awaits) awaited.push(part.awaits);
    if (child && part.settled !== undefined) settled.push({ child, hash: part.settled });
  }
  const left = pruneSteps(input);
  return {
    steps: [...withoutRoutingSteps(steps, obstacles), ...left.steps],
    blockingIssues: [...obstacles, ...left.obstacles],
    waits,
    settled,
    ...(awaited.length > 0 && { awaited }),
  };
}

function created({ object, input }: Wanted): Part {
  const create: PlanStep = { do: 'apply', object, why: 'created' };
  if (object.kind !== 'StatefulSet') return { steps: [create] };
  const templates = claimTemplatesOf(object);
  // A pod of the new set would use a claim that is about to be deleted.
  const leaving = templates.some(({ metadata }) =>
    claimsOfTemplate(metadata.name, object, [object], input.observed).some(({ deleting }) => deleting),
  );
  if (leaving) return waiting;
  const { steps, obstacles } = growClaims(templates, object, [object], input);
  return { steps: [...steps, create], obstacles };
}

function existing(wanted: Wanted, child: Child): Part {
  const { hash, object, input, appliedCache } = wanted;
  if (child.deleting) return { waits: true, awaits: child };
  const standing = classifyOwnership(child, object, hash, input);
  if (standing === 'leaving')
    return { ...(isOnlyOne(input) && { steps: [removal(child)] }), waits: true, awaits: child };
  if (typeof standing === 'object') return { obstacles: [standing] };
  if (standing === 'free') return adopted(wanted, child);
  if (appliedCache?.isSettled(child, hash)) return nothing;
  const live = child.content();
  if (child.applied === hash && satisfies(object, live)) return { settled: hash };
  return changed(wanted, child, changeStrategyOf({ desired: wanted.bare, child, live, input, adopting: false }), live);
}

function changed(wanted: Wanted, child: Child, way: ChangeStrategy, live: LiveObject): Part {
  const { hash, appliedCache } = wanted;
  const steps = [...firstSteps(way, child)];
  const last = lastOf(wanted, way);
  const isThere =
    last && child.applied === last.hash && (appliedCache?.isSettled(child, last.hash) || satisfies(last.object, live));
  if (last && !isThere) {
    const why = child.applied === last.hash ? 'drifted' : 'changed';
    steps.push({ do: 'apply', object: last.object, over: child, why });
  }
  const { obstacles = [] } = way;
  const waits = waitsAfter(way);
  const isSettled = steps.length === 0 && obstacles.length === 0 && !waits;
  return { steps, obstacles, waits, ...(isSettled && { settled: hash }) };
}

/** Adopts an object that was deployed natively. */
function adopted(wanted: Wanted, child: Child): Part {
  const { bare, input } = wanted;
  const live = input.full ? input.full(child.kind, child.name) : child.content();
  if (!live) return waiting;
  const way = changeStrategyOf({ desired: bare, child, live, input, adopting: true });
  const steps = [...firstSteps(way, child)];
  const last = lastOf(wanted, way);
  const release = releasedFields(live);
  if (last) steps.push({ do: 'apply', object: last.object, over: child, why: 'adopted', ...(release && { release }) });
  return { steps, obstacles: way.obstacles ?? [], waits: waitsAfter(way) };
}

/** Returns the steps of a strategy before the object is applied. */
const firstSteps = ({ steps = [], replace }: ChangeStrategy, child: Child): readonly PlanStep[] =>
  replace ? [...steps, { do: 'delete', target: child, propagation: replace, why: 'replaced' }] : steps;

/** Returns the object that a strategy applies; undefined if there is none. */
function lastOf(wanted: Wanted, { object, fixed }: ChangeStrategy): HashedObject | undefined {
  if (!object) return undefined;
  return object === wanted.bare && fixed === undefined ? wanted : withAppliedHash(object, wanted.owner, fixed);
}

const waitsAfter = ({ waits, replace }: ChangeStrategy): boolean => waits === true || replace !== undefined;
