import { canaryReport, type RolloutPhase } from '../../api';
import { isOpenRollout, isRolloutEnded, isRolloutLeft, rollbackOfRollout, type StoredRollout } from '../../expand';
import { type ReconcileResult } from '../../controller-runtime';
import { type LiveObject } from '../../client';
import { canaryHold } from '../canary-gate';
import { type EventReason } from '../reasons';
import { type EventDraft } from '../report/report';
import { type ReconcileContext } from '../reconcile-context';
import { sameStatus } from '../report/same-status';
import { revisionsOf } from '../revisions/workload-revision';
import { type ResourceKey } from '../work-key';
import { withBoundedEmergency } from './bounded-emergency';
import { decideRollout } from './decide-rollout';
import { freezeInForce } from './freeze-in-force';
import { impactToApprove, isImpactOpen } from './impact-to-approve';
import { statusLimits } from './rollout-status';
import { rolloutWorkloads, unreadyWorkloads, workloadsInMotion } from './rollout-workloads';
import { type RolloutConditions, type RolloutSpec, type RolloutStatus } from './rollout-workload';

const statusOf = (rollout: LiveObject): RolloutStatus | undefined => rollout['status'] as RolloutStatus | undefined;

/** Reconciles a rollout: reads the health of its workloads, decides its next step, and records the releases before they take effect. */
export async function reconcileRollout({ name }: ResourceKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { stores, platformCache, writer, now } = context;
  const live = stores.resource('PlatformRollout', '', name);
  if (!live || live.metadata.deletionTimestamp !== undefined) return {};
  const stored = platformCache.manifestOf('PlatformRollout', live)?.spec;
  if (!stored) return {};
  const spec = withBoundedEmergency(stored, now());
  const previous = statusOf(live);
  const isEnded = isRolloutEnded(previous);
  const { uid } = live.metadata;
  writer.recordEvents(live, context.rolloutDecisions.eventsFor(uid, spec, { isNew: !previous, isEnded }));
  if (isEnded) {
    await reportRollback(live, context);
    return {};
  }
  const revisions = revisionsOf(context, spec.project);
  // The Platform or the Project creates it before its status names it.
  if (!previous && spec.rollbackOf === undefined && revisions?.rollout !== name) return {};
  const metrics = await metricsOf(spec, context);
  // Budgets count what other rollouts have released, so that no two decide at once.
  const result = await context.rolloutTurn.tryRun(() => takeStep(live, spec, { revisions, metrics }, context));
  return result ?? { requeueAfter: busyDelay };
}

/** Milliseconds until a rollout is decided again while another one is. */
const busyDelay = 200;

interface StepInput {
  readonly revisions: ReturnType<typeof revisionsOf>;
  readonly metrics: RolloutConditions['metrics'];
}

/** Decides the next step of a rollout, and records it. */
async function takeStep(
  live: LiveObject,
  spec: RolloutSpec,
  { revisions, metrics }: StepInput,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const { writer, rejections, now } = context;
  const previous = statusOf(live);
  const completed = revisions?.completed ?? '';
  const hasImpact = isImpactOpen(spec, previous);
  const workloads = await rolloutWorkloads(spec, { transit: previous?.transit ?? [], completed, hasImpact }, context);
  const impact = impactToApprove(spec, { previous, completed, workloads });
  const { status, requeueAfter } = decideRollout({
    ...{ spec, generation: live.metadata.generation ?? 0, previous, workloads, now: now() },
    conditions: { ...conditionsOf(spec, revisions?.current, live, context), metrics, impact },
  });
  if (!sameStatus(previous, status)) {
    await writer.writeStatus(live, status);
    writer.recordEvents(live, eventsFor(previous, status));
  }
  const delays = [requeueAfter, rejections.nextIn()].filter((delay) => delay !== undefined);
  return delays.length === 0 ? {} : { requeueAfter: Math.min(...delays) };
}

function conditionsOf(
  spec: RolloutSpec,
  current: string | undefined,
  live: LiveObject,
  context: ReconcileContext,
): RolloutConditions {
  const { stores, platformCache, now } = context;
  const runtime = platformCache.platform?.spec.runtime;
  const report = stores.child('ConfigMap', runtime?.canary?.project ?? '', canaryReport.name);
  const profile = platformCache.profileOfRevision(spec.revision);
  const began = statusOf(live)?.started ?? live.metadata.creationTimestamp;
  return {
    // The canary tests revisions of the Platform, to which a revision of a Project has no profile.
    canaryHold:
      runtime && profile !== undefined
        ? canaryHold({ canary: runtime.canary, profile }, report, now(), { revision: spec.revision, began })
        : undefined,
    precedence: spec.project === undefined ? undefined : openPlatformRollout(context),
    freeze: freezeInForce(spec.policy.freezes, now()),
    unready: unreadyWorkloads(context),
    inMotion: workloadsInMotion(live.metadata.name, context),
    isSuperseded: spec.rollbackOf === undefined && current !== spec.revision,
  };
}

/** Returns the name of the rollout of the Platform in progress: a failure would otherwise have two possible causes. */
const openPlatformRollout = ({ stores }: ReconcileContext): string | undefined =>
  (stores.resources('PlatformRollout') as unknown as readonly StoredRollout[]).find(
    (rollout) => rollout.spec.project === undefined && isOpenRollout(rollout),
  )?.metadata.name;

/** Asks the metric gates; a rollback has none, because it is the remedy. */
const metricsOf = ({ rollbackOf, paused, policy }: RolloutSpec, { metricGate }: ReconcileContext) =>
  policy.metricGates && rollbackOf === undefined && !paused ? metricGate.judge(policy.metricGates) : undefined;

/** Reports that a rollback of an ended rollout is complete. */
async function reportRollback(live: LiveObject, { stores, writer }: ReconcileContext): Promise<void> {
  const status = statusOf(live);
  if (!status || !isRolloutLeft(status)) return;
  const rollouts = stores.resources('PlatformRollout') as unknown as readonly StoredRollout[];
  const rollback = rollbackOfRollout(rollouts, live as unknown as StoredRollout);
  if (rollback?.status?.phase !== 'Completed') return;
  const message = `its workloads are back at their former revisions; it had stopped because: ${status.message ?? ''}`;
  const next: RolloutStatus = { ...status, phase: 'RolledBack', message: message.slice(0, statusLimits.message) };
  await writer.writeStatus(live, next);
  writer.recordEvents(live, eventsFor(status, next));
}

const reasons: { readonly [Phase in RolloutPhase]?: EventReason } = {
  Progressing: 'RolloutProgressing',
  Paused: 'RolloutPaused',
  Failed: 'RolloutFailed',
  Aborted: 'RolloutAborted',
  RolledBack: 'RolledBack',
  Completed: 'RolloutCompleted',
};
const warnings: ReadonlySet<string | undefined> = new Set(['Paused', 'Failed', 'Aborted']);

function eventsFor(previous: RolloutStatus | undefined, status: RolloutStatus): readonly EventDraft[] {
  const { phase, message = '', wave } = status;
  const isSame = previous?.reason === status.reason && previous?.impact === status.impact;
  if (status.reason === 'ImpactNotApproved' && !isSame)
    return [{ type: 'Warning', reason: 'ApprovalRequired', message }];
  const reason = reasons[phase as RolloutPhase];
  if (reason === undefined || previous?.phase === phase) return [];
  const text = message === '' ? `wave ${wave ?? ''}` : message;
  return [{ type: warnings.has(phase) ? 'Warning' : 'Normal', reason, message: text }];
}
