import { isRunKind, type RunKind, type Workload } from '../api';
import { schedulesGangs } from '../expand';
import { type LiveObject } from '../kube';
import { applyPlan } from './apply-plan';
import { gangKinds, kindControllerOf } from './kinds/kind-controllers';
import { planRun } from './run/plan-run';
import { type RunPlan } from './run/run-plan';
import { type ClusterWriter } from './cluster-writer';
import { throttleDriftCorrection } from './plan/throttle-drift-correction';
import { type PassExpansion } from './pass-expansion';
import { type PassResults, publishStatus } from './publish-status';
import { planFor } from './plan/plan-for';
import { type ReconcilePlan } from './plan/plan-step';
import { type ReconcileState, preparePass } from './reconcile-state';
import { keyOfDocument, type ReconcileResult, type ReconcileContext } from './reconcile-context';
import { type KeyedDocument, workKey } from './work-key';

/** Milliseconds after which to look again for what the watch has yet to tell. */
const unheard = 1000;

/**
 * One pass over one workload: read, complete, expand, conduct, plan, apply, report.
 *
 * Level-triggered: whatever happened before, a pass compares what should be with what is, and does the difference.
 */
export async function reconcileWorkload(
  document: KeyedDocument,
  surroundings: ReconcileContext,
): Promise<ReconcileResult> {
  const { stores, passes } = surroundings;
  const key = workKey(document.kind, document.namespace, document.name);
  const live = stores.document(document.kind, document.namespace, document.name);
  if (!live || live.metadata.deletionTimestamp !== undefined) {
    passes.forget(key);
    surroundings.gangs.forget(key);
    return {};
  }
  const pass = preparePass(live, surroundings);
  if (passes.isSettled(key, pass.fingerprint)) return {};
  const expansion = surroundings.expansions.of(pass);
  const conducted = conductedOf(pass, expansion, surroundings);
  if (conducted) surroundings.gangs.note(key, conducted);
  else if (gangKinds.some((kind) => kind === document.kind)) surroundings.gangs.pass(key);
  // A run, a restart or an end is on record before anything of it is done: a crash in between repeats nothing.
  if (conducted?.writeFirst) {
    await publishStatus(pass, expansion, { conducted }, surroundings);
    // A dry run writes nothing, and would look again for ever.
    const seen = stores.document(document.kind, document.namespace, document.name);
    return seen?.metadata.resourceVersion === live.metadata.resourceVersion ? {} : { again: 0 };
  }
  if (conducted?.expired) {
    await surroundings.hands.removeDocument(live);
    return {};
  }
  const plan = await planOf(pass, expansion, conducted, surroundings);
  if (plan && !(await isOwnerThere(live, plan, surroundings.hands))) return { again: unheard };
  const results = { conducted, ...(plan && (await carriedOut(pass, plan, conducted, surroundings))) };
  const wait = await publishStatus(pass, expansion, results, surroundings);
  const next = nextOf(pass, results, wait);
  if (isQuiet(results) && next.again === undefined && !next.retry) passes.settle(key, pass.fingerprint);
  return next;
}

async function planOf(
  { live, observed }: ReconcileState,
  { workload, objects }: PassExpansion,
  conducted: RunPlan | undefined,
  { hands, passes, now }: ReconcileContext,
): Promise<ReconcilePlan | undefined> {
  if (!workload || !objects) return undefined;
  const unowned = kindControllerOf(workload.kind).retainedObjects?.(workload, objects);
  const plan = await planFor(
    {
      live,
      namespace: live.metadata.namespace ?? '',
      desired: conducted?.desired ?? objects,
      ...(conducted?.untouched && { untouched: conducted.untouched }),
      observed,
      adopt: workload.spec.adopt ?? false,
      allowLoss: new Set(workload.spec.allowLoss ?? []),
      verdicts: passes.verdictsOf(keyOfDocument(live)),
      ...(unowned && { unowned }),
    },
    hands,
  );
  return throttleDriftCorrection(plan, passes, keyOfDocument(live), now());
}

/**
 * Whether a document that has been carried out before is still there, asked of the API server itself where objects of it are to
 * be made: a collector of garbage may have taken them because their owner is gone, which the watch has not told yet. Made anew
 * for an owner that is no more, they would be taken again, and again.
 */
async function isOwnerThere(live: LiveObject, { steps }: ReconcilePlan, hands: ClusterWriter): Promise<boolean> {
  if (live['status'] === undefined || !steps.some(({ why }) => why === 'created')) return true;
  const { namespace = '', name, uid } = live.metadata;
  const present = await hands.read(live.kind, namespace, name);
  return present?.metadata.uid === uid && present.metadata.deletionTimestamp === undefined;
}

async function carriedOut(
  { live }: ReconcileState,
  plan: ReconcilePlan,
  conducted: RunPlan | undefined,
  { hands, passes }: ReconcileContext,
): Promise<PassResults> {
  const key = keyOfDocument(live);
  passes.wait(key, live.metadata.namespace ?? '', [...plan.obstacles, ...(plan.awaited ?? [])]);
  const carried = await applyPlan(plan, hands, passes.verdictsOf(key));
  for (const pod of conducted?.pods ?? []) await hands.removePod(pod);
  return { plan, carried };
}

const isQuiet = ({ plan, conducted }: PassResults): boolean =>
  plan !== undefined &&
  !plan.waits &&
  plan.steps.length === 0 &&
  plan.obstacles.length === 0 &&
  (conducted?.pods ?? []).length === 0;

function conductedOf(
  { live, observed, record, found }: ReconcileState,
  { workload, objects }: PassExpansion,
  { stores, gangs, now }: ReconcileContext,
): RunPlan | undefined {
  if (!objects || !('world' in found)) return undefined;
  if (!workload || !isRunKind(workload.kind)) return undefined;
  const { namespace = '', name } = live.metadata;
  return planRun({
    workload: workload as Workload<RunKind>,
    desired: objects,
    observed,
    pods: stores.podsOf(live.kind, namespace, name),
    record,
    schedulerKnowsGangs: schedulesGangs(found.world),
    room: () => gangs.roomFor(keyOfDocument(live), record, stores),
    now: now(),
  });
}

function nextOf(
  { movesIn }: ReconcileState,
  { conducted, plan, carried }: PassResults,
  wait: number | undefined,
): ReconcileResult {
  const times = [conducted?.again, plan?.again, wait, movesIn].filter((time) => time !== undefined);
  const retry = carried !== undefined && (carried.refused.length > 0 || carried.overtaken);
  return { ...(times.length > 0 && { again: Math.min(...times) }), ...(retry && { retry }) };
}
