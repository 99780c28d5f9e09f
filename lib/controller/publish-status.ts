import { type WorkloadKind } from '../api';
import {
  deployedSpecHash,
  nextRevisionRecord,
  type ExpansionRecord,
  type GuardedExpansion,
  type RevisionRecord,
} from '../expand';
import { type LiveObject } from '../client';
import { type AppliedPlan } from './apply-plan';
import { type Child } from './observed/child';
import { type HookObjects, type HookPlan } from './hooks/hook-plan';
import { type RunPlan } from './run/run-plan';
import { type WorkloadExpansion } from './workload-expansion';
import { eventsForSteps } from './report/events-for-status';
import { type ReconcilePlan } from './plan/plan-step';
import { type CreationFailure } from './observed/pod-facts';
import { type ReconcileState } from './reconcile-state';
import { type ReportInput } from './report/report';
import { report } from './report/report-workload';
import { recordsProjectRevision, revisionsOf } from './revisions/workload-revision';
import { sharedRoutes } from './observed/shared-routes';
import { statusChange } from './report/status-change';
import { type Stores } from './observed/stores';
import { keyOfResource, type ReconcileContext } from './reconcile-context';

type Fields = Readonly<Record<string, unknown>>;

/** Result of a reconcile. */
export interface ReconcileOutcome {
  readonly runPlan?: RunPlan | undefined;
  readonly hookPlan?: HookPlan | undefined;
  readonly plan?: ReconcilePlan | undefined;
  readonly applied?: AppliedPlan | undefined;
  readonly guarded?: GuardedExpansion | undefined;
  /** @default - it is not held */
  readonly held?: HookObjects | undefined;
}

/** Minimum time between two writes of a status in which only numbers changed, in milliseconds. */
const numbersInterval = 5000;

/** Delay of the first status of a workload without findings, from its first reconcile, in milliseconds. */
const firstStatusDelay = 1000;

/** Writes a changed status and records its events; returns the milliseconds after which changed counts may be written. */
export async function publishStatus(
  state: ReconcileState,
  expansion: WorkloadExpansion,
  results: ReconcileOutcome,
  context: ReconcileContext,
): Promise<number | undefined> {
  const { live } = state;
  const { writer, cache, now } = context;
  const input = reportInput(state, expansion, results, context);
  const { status, events, requeueAfter } = report(input);
  const deployed = deployedHash(expansion, results, input);
  const record = publishedRecord(results, input);
  const revision = publishedRevision(state, results, input);
  const projectRevision = publishedProjectRevision(state, results, input, context);
  const next: Fields = {
    ...status,
    ...(deployed !== undefined && { deployedSpecHash: deployed }),
    ...(record && { expansion: record }),
    ...(revision && { platformRevision: revision }),
    ...(projectRevision && { projectRevision }),
  };
  const change = statusChange(live['status'] as Fields | undefined, next);
  if (change === 'none') {
    writer.recordEvents(live, events);
    return requeueAfter;
  }
  const key = keyOfResource(live);
  const remainingDelay = isInitialProgress(live, status, results) ? firstStatusDelay - cache.age(key, now()) : 0;
  if (remainingDelay > 0) {
    writer.recordEvents(live, eventsForSteps(input));
    return Math.min(remainingDelay, requeueAfter ?? Infinity);
  }
  const since = change === 'numbers' ? cache.timeSinceStatusWrite(key, now()) : undefined;
  if (since !== undefined && since < numbersInterval) {
    writer.recordEvents(live, eventsForSteps(input));
    return Math.min(numbersInterval - since, requeueAfter ?? Infinity);
  }
  await writer.writeStatus(live, next);
  cache.recordStatusWrite(key, now());
  writer.recordEvents(live, events);
  return requeueAfter;
}

function deployedHash(
  { objects }: WorkloadExpansion,
  { hookPlan, guarded }: ReconcileOutcome,
  { previous, deployed }: ReportInput,
): string | undefined {
  // The record of a held workload says that its objects have this spec, in case its status is lost.
  if (guarded?.isHeld) return previous?.deployedSpecHash ?? deployed;
  // A spec that could not be expanded has not been deployed: its first successful expansion is a deployment.
  // Neither has one whose hooks have not succeeded.
  return objects !== undefined && hookPlan?.isGated !== true ? deployed : previous?.deployedSpecHash;
}

/**
 * Returns the record of the expansion for the status: a new one once the objects follow it, and a hold at once. Otherwise the next
 * version of the controller could hold a deployment that no object has yet.
 */
function publishedRecord(
  { guarded, hookPlan, plan, applied }: ReconcileOutcome,
  { previous, plan: reported }: ReportInput,
): ExpansionRecord | undefined {
  const isApplied = followsPlan({ hookPlan, plan, applied }, reported);
  return guarded && (guarded.isHeld || isApplied) ? guarded.record : previous?.expansion;
}

/** Returns whether the objects of a workload follow the plan of this reconcile. */
const followsPlan = (
  { hookPlan, plan, applied }: Pick<ReconcileOutcome, 'hookPlan' | 'plan' | 'applied'>,
  reported: ReportInput['plan'],
): boolean =>
  hookPlan?.isGated !== true &&
  plan?.waits === false &&
  reported?.blockingIssues.length === 0 &&
  applied?.rejected.length === 0 &&
  !applied.conflicted;

/** Returns the record of the revision for the status: a new one once the objects follow it. */
function publishedRevision(
  { revision }: ReconcileState,
  results: ReconcileOutcome,
  { previous, plan, observed }: ReportInput,
): RevisionRecord | undefined {
  const former = previous?.platformRevision;
  if (revision === undefined) return undefined;
  // A held workload without a record has the revision of the inputs that it was expanded from, as far as is known.
  const isMoved = results.guarded?.isHeld ? former === undefined : followsPlan(results, plan);
  return isMoved ? nextRevisionRecord(former, revision, observed.owned) : former;
}

/** Returns the record of the revision of its Project for the status; none before the Project has had another one. */
function publishedProjectRevision(
  { live, projectRevision }: ReconcileState,
  results: ReconcileOutcome,
  { previous, plan, observed }: ReportInput,
  context: ReconcileContext,
): RevisionRecord | undefined {
  if (projectRevision === undefined || !recordsProjectRevision(live, context)) return undefined;
  const former = previous?.projectRevision;
  const isMoved = results.guarded?.isHeld ? former === undefined : followsPlan(results, plan);
  if (!isMoved) return former;
  // A workload that records none followed the completed one.
  const { completed = projectRevision } = revisionsOf(context, live.metadata.namespace ?? '') ?? {};
  return nextRevisionRecord(former ?? { name: completed }, projectRevision, observed.owned, 'Project');
}

/**
 * Returns whether a status is the first one and only reports progress: creating the objects of many workloads takes precedence over
 * reporting it. Unless a run is a gang, was restarted or has Jobs that wait, its Jobs have everything that the next leader needs.
 */
const isInitialProgress = (
  live: LiveObject,
  { cause }: { readonly cause?: unknown },
  { runPlan, hookPlan, plan }: ReconcileOutcome,
): boolean =>
  live['status'] === undefined &&
  cause === undefined &&
  !runPlan?.writeFirst &&
  !hookPlan?.writeFirst &&
  runPlan?.record.gang === undefined &&
  runPlan?.record.awaited === undefined &&
  runPlan?.record.outcome === undefined &&
  (plan?.blockingIssues ?? []).length === 0;

function reportInput(
  { live, record, profile, observed, verification }: ReconcileState,
  { workload, objects, problems }: WorkloadExpansion,
  { runPlan, hookPlan, plan, applied, guarded, held }: ReconcileOutcome,
  { stores, now }: ReconcileContext,
): ReportInput {
  const { namespace = '', name, uid, generation = 0 } = live.metadata;
  const owned = stores.ownedBy(uid);
  return {
    kind: live.kind as WorkloadKind,
    name,
    namespace,
    generation,
    previous: live['status'] as ReportInput['previous'],
    workload,
    problems,
    ...(verification && { verification }),
    shared: sharedRoutes(owned, stores),
    desired: (held ?? runPlan ?? hookPlan)?.desired ?? objects ?? [],
    ...(hookPlan && { hookPlan }),
    observed: { ...observed, owned },
    pods: stores.podsOf(live.kind, namespace, name),
    failures: owned.flatMap((child) => creationFailuresOf(child, stores)),
    plan: plan && { ...plan, blockingIssues: [...plan.blockingIssues, ...(runPlan?.blockingIssues ?? [])] },
    rejected: applied?.rejected ?? [],
    record: runPlan?.record ?? record,
    heldSince: guarded?.record.held?.since,
    // Its pods still have the former one.
    profile:
      hookPlan?.isGated || guarded?.isHeld
        ? ((live['status'] as Fields | undefined)?.['runtimeProfile'] as string | undefined)
        : profile,
    deployed: workload && deployedSpecHash(workload),
    ownedByPlatform: (live.metadata.ownerReferences ?? []).some(
      ({ kind, controller }) => controller && kind === 'Platform',
    ),
    now: now(),
  };
}

/** Returns the failures of a child to create its pods; those of a schedule include those of its runs. */
const creationFailuresOf = (child: Child, stores: Stores): readonly CreationFailure[] =>
  (child.kind === 'CronJob' ? [child, ...stores.ownedBy(child.uid)] : [child]).flatMap(({ uid }) =>
    stores.failuresOf(uid),
  );
