import { satisfies, hookOf, type KubernetesObject } from '../../expand';
import { type LiveObject, type OwnerReference } from '../../client';
import { withAppliedHash, type HashedObject } from './applied-hash';
import { type Child } from '../observed/child';
import { growClaims } from './claim-plan';
import { claimsOfTemplate, claimTemplatesOf } from './claims-of-set';
import { changeStrategyOf } from './change-strategy-of';
import { isCurrentResource, pruneSteps, removal } from './prune-steps';
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
import { isReservedObject } from './reserved-object';
import { scaleTargetsOf, withReplicasKept } from './replicas-release';
import { withoutRoutingSteps } from './without-routing-steps';
import { withoutSetSteps } from './without-set-steps';
import { type ChangeStrategy } from './change-strategy';

/** Plan for one object. */
interface ObjectPlan {
  readonly steps?: readonly PlanStep[];
  readonly blockingIssues?: readonly BlockingIssue[];
  readonly waits?: boolean;
  /** Object whose deletion it waits for. */
  readonly awaits?: Child;
  /** Hash of the object, if the child already matches it. */
  readonly settled?: string;
}

const unchanged: ObjectPlan = {};
const waiting: ObjectPlan = { waits: true };

/** Desired object, as it is to be applied. */
interface DesiredState extends HashedObject {
  /** Object from expand or from the run plan. */
  readonly bare: KubernetesObject;
  readonly owner: OwnerReference | undefined;
  readonly input: PlanInput;
  readonly appliedCache: AppliedLookup | undefined;
}

/**
 * Returns the steps from the observed to the desired objects. Pure: it returns everything that it finds.
 *
 * An object is applied if it differs from what was applied last, or no longer satisfies it. Objects that another client
 * owns are not changed, and changes of immutable fields have strategies of their own.
 */
export function plan(input: PlanInput): ReconcilePlan {
  const { desired, observed, owner, unowned, untouched, appliedCache } = input;
  const scaleTargets = scaleTargetsOf(desired);
  const steps: PlanStep[] = [];
  const blockingIssues: BlockingIssue[] = [];
  const awaited: Child[] = [];
  const settled: SettledChild[] = [];
  let waits = false;
  for (const object of desired) {
    const { kind, metadata } = object;
    const child = observed.child(kind, metadata.name, metadata.namespace);
    if (child && untouched?.has(`${kind}/${metadata.name}`)) continue;
    // The Job of a hook starts once all that it needs, which comes before it, is as desired.
    if (hookOf(object) !== undefined && (waits || blockingIssues.length > 0)) continue;
    const objectOwner = unowned?.has(`${kind}/${metadata.name}`) === true ? undefined : owner;
    const bare = withReplicasKept(object, child, scaleTargets);
    const target: DesiredState = {
      ...withAppliedHash(bare, objectOwner),
      bare,
      owner: objectOwner,
      input,
      appliedCache,
    };
    const objectPlan = child ? planExisting(target, child) : planCreation(target);
    steps.push(...(objectPlan.steps ?? []));
    blockingIssues.push(...(objectPlan.blockingIssues ?? []));
    waits ||= objectPlan.waits === true;
    if (objectPlan.awaits) awaited.push(objectPlan.awaits);
    if (child && objectPlan.settled !== undefined) settled.push({ child, hash: objectPlan.settled });
  }
  const pruned = pruneSteps(input);
  return {
    steps: [...withoutRoutingSteps(withoutSetSteps(steps, blockingIssues, desired), blockingIssues), ...pruned.steps],
    blockingIssues: [...blockingIssues, ...pruned.blockingIssues],
    waits: waits || pruned.waits,
    settled,
    ...(awaited.length > 0 && { awaited }),
  };
}

function planCreation({ object, input }: DesiredState): ObjectPlan {
  const create: PlanStep = { do: 'apply', object, reason: 'created' };
  if (object.kind !== 'StatefulSet') return { steps: [create] };
  const templates = claimTemplatesOf(object);
  // A pod of the new set would use a claim that is about to be deleted.
  const hasDeletedClaims = templates.some(({ metadata }) =>
    claimsOfTemplate(metadata.name, object, [object], input.observed).some(({ deleting }) => deleting),
  );
  if (hasDeletedClaims) return waiting;
  const { steps, blockingIssues } = growClaims(templates, object, [object], input);
  return { steps: [...steps, create], blockingIssues };
}

function planExisting(target: DesiredState, child: Child): ObjectPlan {
  const { hash, object, input, appliedCache } = target;
  if (child.deleting) return { waits: true, awaits: child };
  const ownership = classifyOwnership(child, object, hash, input);
  if (ownership === 'ownedByPredecessor')
    return { ...(isCurrentResource(input) && { steps: [removal(child)] }), waits: true, awaits: child };
  if (typeof ownership === 'object')
    return isReservedObject(object)
      ? { steps: [{ do: 'apply', object, reason: 'adopted' }] }
      : { blockingIssues: [ownership] };
  if (ownership === 'adoptable') return planAdoption(target, child);
  if (appliedCache?.isSettled(child, hash)) return unchanged;
  const live = child.isPartial && input.full ? input.full(child.kind, child.name) : child.content();
  if (!live) return waiting;
  if (child.applied === hash && satisfies(object, live)) return { settled: hash };
  return planChange(
    target,
    child,
    changeStrategyOf({ desired: target.bare, child, live, input, adopting: false }),
    live,
  );
}

function planChange(target: DesiredState, child: Child, strategy: ChangeStrategy, live: LiveObject): ObjectPlan {
  const { hash, appliedCache } = target;
  const steps = [...stepsBefore(strategy, child)];
  const finalObject = finalObjectOf(target, strategy);
  const isUpToDate =
    finalObject &&
    !strategy.replace &&
    child.applied === finalObject.hash &&
    (appliedCache?.isSettled(child, finalObject.hash) || satisfies(finalObject.object, live));
  if (finalObject && !isUpToDate) {
    const reason = child.applied === finalObject.hash ? 'drifted' : 'changed';
    steps.push({
      do: 'apply',
      object: finalObject.object,
      ...(strategy.replace ? { reason: 'created' } : { current: child, reason }),
    });
  }
  const { blockingIssues = [] } = strategy;
  const waits = waitsAfter(strategy);
  const isSettled = steps.length === 0 && blockingIssues.length === 0 && !waits;
  return { steps, blockingIssues, waits, ...(isSettled && { settled: hash }) };
}

/** Adopts an object that was deployed natively. */
function planAdoption(target: DesiredState, child: Child): ObjectPlan {
  const { bare, input } = target;
  const live = input.full ? input.full(child.kind, child.name) : child.content();
  if (!live) return waiting;
  const strategy = changeStrategyOf({ desired: bare, child, live, input, adopting: true });
  const steps = [...stepsBefore(strategy, child)];
  const finalObject = finalObjectOf(target, strategy);
  const release = releasedFields(live);
  if (finalObject)
    steps.push({
      do: 'apply',
      object: finalObject.object,
      ...(!strategy.replace && { current: child, ...(release && { release }) }),
      reason: 'adopted',
    });
  return { steps, blockingIssues: strategy.blockingIssues ?? [], waits: waitsAfter(strategy) };
}

/** Returns the steps of a strategy before the object is applied. */
const stepsBefore = ({ steps = [], replace }: ChangeStrategy, child: Child): readonly PlanStep[] =>
  replace ? [...steps, { do: 'delete', target: child, propagation: replace, reason: 'replaced' }] : steps;

/** Returns the object that a strategy applies; undefined if there is none. */
function finalObjectOf(target: DesiredState, { object, immutableHash }: ChangeStrategy): HashedObject | undefined {
  if (!object) return undefined;
  return object === target.bare && immutableHash === undefined
    ? target
    : withAppliedHash(object, target.owner, immutableHash);
}

const waitsAfter = ({ waits, replace, object }: ChangeStrategy): boolean =>
  waits === true || (replace !== undefined && object === undefined);
