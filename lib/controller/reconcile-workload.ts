import { isRunKind, metadataKeys, traitsOf, type RunKind, type Status, type Workload, type WorkloadKind } from '../api';
import { guardExpansion, schedulesGangs, type GuardedExpansion } from '../expand';
import { type LiveObject } from '../client';
import { applyPlan } from './apply-plan';
import { gangKinds, kindControllerOf } from './kinds/kind-controllers';
import { deletesWhileHeld, heldObjects } from './expansion-guard/held-objects';
import { withExpansionRecord } from './expansion-guard/with-expansion-record';
import { planRun } from './run/plan-run';
import { type HookObjects, type HookPlan } from './hooks/hook-plan';
import { hookRecordOf } from './hooks/hook-record';
import { planHooks } from './hooks/plan-hooks';
import { type RunPlan } from './run/run-plan';
import { type ClusterWriter } from './cluster-writer';
import { throttleDriftCorrection } from './plan/throttle-drift-correction';
import { protectedContextOf } from './verification/followed-workload';
import { ignoredRevisionsOf, recordsProjectRevision } from './revisions/workload-revision';
import { type WorkloadExpansion } from './workload-expansion';
import { type ReconcileOutcome, publishStatus } from './publish-status';
import { planFor } from './plan/plan-for';
import { type ReconcilePlan } from './plan/plan-step';
import { type ReconcileState, prepareReconcile } from './reconcile-state';
import { type ReconcileResult } from '../controller-runtime';
import { keyOfResource, type ReconcileContext } from './reconcile-context';
import { type ResourceKey, workKey } from './work-key';

/** Requeue delay for a change that the watch has not delivered yet, in milliseconds. */
const unobservedDelay = 1000;

/**
 * Reconciles a workload: read, parse, expand, plan the run, plan the steps, apply, report.
 *
 * Level-triggered: a reconcile compares the desired with the observed state, whatever happened before.
 */
export async function reconcileWorkload(resource: ResourceKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { stores, cache } = context;
  const key = workKey(resource.kind, resource.namespace, resource.name);
  const live = stores.resource(resource.kind, resource.namespace, resource.name);
  if (!live || live.metadata.deletionTimestamp !== undefined) {
    cache.forget(key);
    context.gangs.forget(key);
    return {};
  }
  const prepared = prepareReconcile(live, context);
  if (cache.isSettled(key, prepared.fingerprint)) return {};
  recordIgnoredRevisions(prepared, context);
  const state = await verified(prepared, context);
  const expansion = expansionOf(state, context);
  const runPlan = runPlanOf(state, expansion, context);
  if (runPlan) context.gangs.track(key, runPlan);
  else if (gangKinds.some((kind) => kind === resource.kind)) context.gangs.trackUnknown(key);
  const hookPlan = hookPlanOf(state, expansion, context);
  const guarded = guardedExpansionOf(state, expansion, context);
  const held = heldObjectsOf(state, expansion, { runPlan, hookPlan, guarded });
  // A run, a restart, an outcome or a hook is recorded before it takes effect: after a crash nothing is repeated.
  if (runPlan?.writeFirst || hookPlan?.writeFirst) {
    await publishStatus(state, expansion, { runPlan, hookPlan, guarded, held }, context);
    // A dry run writes nothing, and would requeue forever.
    const latest = stores.resource(resource.kind, resource.namespace, resource.name);
    return latest?.metadata.resourceVersion === live.metadata.resourceVersion ? {} : { requeueAfter: 0 };
  }
  if (runPlan?.expired) {
    await context.writer.removeResource(live);
    return {};
  }
  const plan = await planOf(
    state,
    expansion,
    { ...(held ?? runPlan ?? hookPlan), isHeld: held !== undefined },
    context,
  );
  if (plan && !(await ownerExists(live, plan, context.writer))) return { requeueAfter: unobservedDelay };
  const results = {
    runPlan,
    hookPlan,
    guarded,
    held,
    ...(plan && (await applySteps(state, plan, { runPlan, hookPlan, guarded }, context))),
  };
  const requeueAfter = await publishStatus(state, expansion, results, context);
  const result = resultOf(state, results, requeueAfter, context.now());
  if (isSettled(results) && result.requeueAfter === undefined && !result.requeue) cache.settle(key, state.fingerprint);
  return result;
}

/** Records that objects of a workload name revisions that it does not follow: another client than the controller wrote them. */
function recordIgnoredRevisions({ live, observed }: ReconcileState, context: ReconcileContext): void {
  const ignored = ignoredRevisionsOf(live, observed.owned, context);
  if (ignored.length === 0) return;
  const message = `annotation ${metadataKeys.expansion} of its objects names ${ignored.slice(0, 3).join(', ').slice(0, 512)}, where the controller has not moved it; it is ignored`;
  context.writer.recordEvents(live, [{ type: 'Warning', reason: 'RevisionIgnored', message }]);
}

/** Verifies a workload if its project is protected: its state then is that of what its objects follow. */
async function verified(prepared: ReconcileState, context: ReconcileContext): Promise<ReconcileState> {
  const { live, project } = prepared;
  const present = protectedContextOf(live, project, context.platformCache);
  if (!present) {
    context.verifier.forget(live.metadata.uid);
    return prepared;
  }
  const verification = await context.verifier.verify(live, present, context.writer);
  return { ...prepareReconcile(live, context, verification.source), verification };
}

/** Expands what the objects of a workload follow; of a workload that was never accepted, they stay as they are. */
function expansionOf({ live, project, verification }: ReconcileState, { expansions }: ReconcileContext) {
  if (!verification) return expansions.of({ live, project });
  const { source, part } = verification;
  return source ? expansions.of({ live: source, project, part }) : { problems: [] };
}

async function planOf(
  { live, observed }: ReconcileState,
  { workload, objects }: WorkloadExpansion,
  chosen: Partial<Pick<RunPlan, 'desired' | 'untouched'>> & { readonly isHeld: boolean },
  { writer, cache, now }: ReconcileContext,
): Promise<ReconcilePlan | undefined> {
  if (!workload || !objects) return undefined;
  const unowned = kindControllerOf(workload.kind).retainedObjects?.(workload, objects);
  const desired = chosen.desired ?? objects;
  const { untouched } = chosen;
  const plan = await planFor(
    {
      live,
      namespace: live.metadata.namespace ?? '',
      desired,
      ...(untouched && { untouched }),
      observed,
      adopt: workload.spec.adopt ?? false,
      allowLoss: new Set(workload.spec.allowLoss ?? []),
      appliedCache: cache.appliedCacheOf(keyOfResource(live)),
      ...(unowned && { unowned }),
    },
    writer,
  );
  const permitted = chosen.isHeld ? withoutHeldDeletions(plan, workload) : plan;
  return throttleDriftCorrection(permitted, cache, keyOfResource(live), now());
}

const withoutHeldDeletions = (plan: ReconcilePlan, workload: Workload): ReconcilePlan => ({
  ...plan,
  steps: plan.steps.filter((step) => step.do !== 'delete' || deletesWhileHeld(workload, step.target.kind)),
});

/** Returns the objects of a workload that is held; undefined if it is not. */
function heldObjectsOf(
  { live, observed }: ReconcileState,
  { workload, objects }: WorkloadExpansion,
  { runPlan, hookPlan, guarded }: Pick<ReconcileOutcome, 'runPlan' | 'hookPlan' | 'guarded'>,
): HookObjects | undefined {
  if (!workload || !objects || !guarded?.isHeld) return undefined;
  const { children = {} } = (live['status'] ?? {}) as Partial<Status<WorkloadKind>>;
  return heldObjects({ workload, chosen: runPlan ?? hookPlan ?? { desired: objects }, observed, recorded: children });
}

/** Compares an expansion with the last one. */
function guardedExpansionOf(
  { live, project, observed, record, isMoving }: ReconcileState,
  { workload, objects }: WorkloadExpansion,
  { stores, now }: ReconcileContext,
): GuardedExpansion | undefined {
  if (!workload || !objects || !('context' in project)) return undefined;
  const recorded = (live['status'] as Partial<Status<WorkloadKind>> | undefined)?.expansion;
  const ended = record.outcome !== undefined;
  const { owned } = observed;
  const platformStatus = stores.resource('Platform', '', 'cluster')?.['status'] as Status<'Platform'> | undefined;
  const releaseRecord = platformStatus?.runtime?.expansionRelease;
  const { context } = project;
  return guardExpansion({ workload, objects, context, recorded, releaseRecord, owned, ended, isMoving, now: now() });
}

/**
 * Returns whether a resource that was applied before still exists, asking the API server if objects are to be created:
 * the garbage collector may have deleted them because their owner was deleted, which the watch has not delivered yet.
 * Objects recreated for a deleted owner would be deleted again and again.
 */
async function ownerExists(live: LiveObject, { steps }: ReconcilePlan, writer: ClusterWriter): Promise<boolean> {
  if (live['status'] === undefined || !steps.some(({ reason }) => reason === 'created')) return true;
  const { namespace = '', name, uid } = live.metadata;
  const present = await writer.read(live.kind, namespace, name);
  return present?.metadata.uid === uid && present.metadata.deletionTimestamp === undefined;
}

async function applySteps(
  { live, revision, projectRevision }: ReconcileState,
  plan: ReconcilePlan,
  { runPlan, hookPlan, guarded }: Pick<ReconcileOutcome, 'runPlan' | 'hookPlan' | 'guarded'>,
  context: ReconcileContext,
): Promise<ReconcileOutcome> {
  const { writer, cache } = context;
  const key = keyOfResource(live);
  cache.blockOn(key, live.metadata.namespace ?? '', [...plan.blockingIssues, ...(plan.awaited ?? [])]);
  // Until its hooks have succeeded, only its number of pods changes.
  const isProjectRecorded = recordsProjectRevision(live, context);
  const ofProject = isProjectRecorded ? projectRevision : undefined;
  const record =
    hookPlan?.isGated || !guarded ? undefined : { ...guarded.record, revision, projectRevision: ofProject };
  const steps = plan.steps.map((step) => withExpansionRecord(step, record));
  const applied = await applyPlan({ ...plan, steps }, writer, cache.appliedCacheOf(key));
  for (const pod of runPlan?.pods ?? []) await writer.removePod(pod);
  return { plan, applied };
}

const isSettled = ({ plan, runPlan }: ReconcileOutcome): boolean =>
  plan !== undefined &&
  !plan.waits &&
  plan.steps.length === 0 &&
  plan.blockingIssues.length === 0 &&
  (runPlan?.pods ?? []).length === 0;

function runPlanOf(
  { live, observed, record, project }: ReconcileState,
  { workload, objects }: WorkloadExpansion,
  { stores, gangs, now }: ReconcileContext,
): RunPlan | undefined {
  if (!objects || !('context' in project)) return undefined;
  if (!workload || !isRunKind(workload.kind)) return undefined;
  const { namespace = '', name } = live.metadata;
  return planRun({
    workload: workload as Workload<RunKind>,
    desired: objects,
    observed,
    pods: stores.podsOf(live.kind, namespace, name),
    record,
    schedulerSupportsGangs: schedulesGangs(project.context),
    freeNodes: () => gangs.freeNodesFor(keyOfResource(live), record, stores),
    now: now(),
  });
}

/** Plans the hooks of a workload; only kinds whose pods run until replaced are deployed. */
function hookPlanOf(
  { live, observed }: ReconcileState,
  { workload, objects }: WorkloadExpansion,
  { stores }: ReconcileContext,
): HookPlan | undefined {
  if (!workload || !objects || traitsOf(workload.kind).lifecycle !== 'Continuous') return undefined;
  const { namespace = '', name, generation = 0, annotations } = live.metadata;
  return planHooks({
    workload,
    generation,
    retry: annotations?.[metadataKeys.retry]?.slice(0, 64),
    desired: objects,
    observed,
    pods: stores.podsOf(live.kind, namespace, name),
    record: hookRecordOf(live['status'] as Readonly<Record<string, unknown>> | undefined),
  });
}

function resultOf(
  { profileChangesIn, verification }: ReconcileState,
  { runPlan, plan, applied }: ReconcileOutcome,
  requeueAfter: number | undefined,
  now: number,
): ReconcileResult {
  const verifyIn = verification?.until === undefined ? undefined : Math.max(0, verification.until - now);
  const times = [runPlan?.requeueAfter, plan?.requeueAfter, requeueAfter, profileChangesIn, verifyIn].filter(
    (time) => time !== undefined,
  );
  const requeue = applied !== undefined && (applied.rejected.length > 0 || applied.conflicted);
  return { ...(times.length > 0 && { requeueAfter: Math.min(...times) }), ...(requeue && { requeue }) };
}
