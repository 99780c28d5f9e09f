import { conditionOf, isRunKind, isWorkloadKind, traitsOf, type Status, type WorkloadKind } from '../../api';
import {
  impactClassesOf,
  recordedRevision,
  recordSources,
  isRolloutEnded,
  isRolloutLeft,
  revisionRecordOf,
  rolloutMoveOf,
  rolloutsOf,
  type RevisionEffect,
  type RolloutMove,
} from '../../expand';
import { type LiveObject } from '../../client';
import { type ProjectResult } from '../platform-cache';
import { type ReconcileContext } from '../reconcile-context';
import { acceptedAtPresent, recordedProjectRevision, type AcceptedRevisions } from '../revisions/workload-revision';
import { followedWorkload } from '../verification/followed-workload';
import { leftInMotion, releasedElsewhere, type LeftWorkload } from './left-in-motion';
import {
  type RolloutSpec,
  type RolloutStatus,
  type RolloutWorkload,
  type Transit,
  type UnreadyWorkload,
  type WorkloadInMotion,
} from './rollout-workload';

/** Number of expansions after which other work of the process proceeds. */
const chunk = 25;

/** What decides which workloads a rollout moves, and what is known of them. */
interface WorkloadsInput {
  readonly transit: readonly Transit[];
  /** Last revision that was rolled out. */
  readonly completed: string;
  /** Whether to classify the impact on each workload that has not moved. @default false */
  readonly hasImpact?: boolean;
}

/**
 * Returns the workloads that a rollout moves or has moved: those whose objects the revision changes. Runs keep the revision that they
 * started with. Expansions of many workloads take seconds, between which the lease is renewed.
 */
export async function rolloutWorkloads(
  spec: RolloutSpec,
  { transit, completed, hasImpact = false }: WorkloadsInput,
  context: ReconcileContext,
): Promise<readonly RolloutWorkload[]> {
  const { stores, platformCache, effects } = context;
  const moving = new Map(transit.map(({ uid, revision }) => [uid, revision]));
  const workloads: RolloutWorkload[] = [];
  const platformAccepted = acceptedAtPresent(context);
  let expansions = 0;
  for (const live of spec.project === undefined ? stores.workloads() : stores.workloadsIn(spec.project)) {
    const { kind, metadata } = live;
    if (!isWorkloadKind(kind) || isRunKind(kind) || metadata.deletionTimestamp !== undefined) continue;
    const follows = followedBy(live, platformAccepted, context);
    if (!follows) continue;
    const record = revisionRecordOf(live['status'], spec.project === undefined ? 'Platform' : 'Project');
    const recorded = spec.project === undefined ? follows.platform : follows.project;
    if (recorded === undefined) continue;
    const move = rolloutMoveOf(spec, { record, recorded, released: moving.get(metadata.uid) }, completed);
    if (!move) continue;
    const { namespace = '' } = metadata;
    const from = platformCache.contextAt(namespace, follows.platform, follows.project);
    const to =
      spec.project === undefined
        ? platformCache.contextAt(namespace, move.target, follows.project)
        : platformCache.contextAt(namespace, follows.platform, move.target);
    if (!effects.isKnown(live, from, to) && ++expansions % chunk === 0)
      await new Promise<void>((resolve) => void setImmediate(resolve));
    const effect = move.isMoved ? undefined : effectOn(live, from, to, context);
    if (effect?.effect === 'unchanged' && !moving.has(metadata.uid) && !isHeld(live)) continue;
    const blocked = effect?.effect === 'blocked' ? effect.message : undefined;
    const workload = workloadOf(live, kind, { ...move, blocked }, context);
    const isClassified = hasImpact && !move.isMoved && blocked === undefined;
    workloads.push(isClassified ? { ...workload, impact: impactOn(live, workload, from, to, context) } : workload);
  }
  return workloads;
}

/** Returns the revisions that the objects of a workload follow; undefined for one that has none of the Platform yet. */
function followedBy(
  live: LiveObject,
  accepted: AcceptedRevisions,
  context: ReconcileContext,
): { readonly platform: string; readonly project: string | undefined } | undefined {
  const owned = context.stores.ownedBy(live.metadata.uid);
  const record = revisionRecordOf(live['status']);
  const platform = recordedRevision(record, recordSources(owned, live), accepted(record, live.metadata.uid));
  return platform === undefined ? undefined : { platform, project: recordedProjectRevision(live, owned, context) };
}

/** Returns the effect of a revision on what the objects of a workload follow. */
function effectOn(live: LiveObject, from: ProjectResult, to: ProjectResult, context: ReconcileContext): RevisionEffect {
  const followed = followedWorkload(live, from, context);
  // The next reconcile of the workload verifies it.
  return followed ? context.effects.of(followed.source, from, to, followed.part) : { effect: 'changed' };
}

/** Returns the classes of the impact of a move. Workloads of the canary are at the revision of the Platform before a rollout. */
function impactOn(
  live: LiveObject,
  { kind, tier, project }: Pick<RolloutWorkload, 'kind' | 'tier' | 'project'>,
  from: ProjectResult,
  to: ProjectResult,
  context: ReconcileContext,
): readonly string[] {
  if (project === context.platformCache.platform?.spec.runtime.canary?.project) return [];
  const followed = followedWorkload(live, from, context);
  if (!followed) return [];
  const changes = context.effects.podsOf(followed.source, from, to, followed.part);
  return impactClassesOf({ kind, tier, changes, isHeld: isHeld(live) });
}

/** Returns whether another version of the controller expanded the objects of a workload, so that they differ from both expansions. */
const isHeld = ({ status }: LiveObject): boolean =>
  (status as Partial<Status<WorkloadKind>> | undefined)?.expansion?.held !== undefined;

/** Reason of the cause that the API server rejects objects, which counts once it lasts. */
const rejected = 'Rejected';

/** Reasons of causes that the newest pods of a workload have by themselves, rather than for a lack of nodes or quota. */
const failures: ReadonlySet<string> = new Set([
  ...['AppCrashLoop', 'InitCrashLoop', 'SidecarCrashLoop', 'OOMKilled', 'ProgressDeadlineExceeded'],
  ...['InvalidImageName', 'ImageMissing', 'ImageNotFound', 'ImagePullUnauthorized', 'ImageSignature'],
  ...['CommandNotFound', 'CommandNotExecutable', 'ContainerCannotRun', 'WrongArchitecture', 'RunAsNonRootViolation'],
  ...['PodSecurity', 'PolicyDenied', 'ReferenceNotFound'],
]);

function workloadOf(
  live: LiveObject,
  kind: WorkloadKind,
  move: RolloutMove & Pick<RolloutWorkload, 'blocked'>,
  { stores, platformCache, rejections }: ReconcileContext,
): RolloutWorkload {
  const { namespace = '', name, uid, generation, labels = {}, creationTimestamp: created } = live.metadata;
  const status = (live['status'] ?? {}) as Partial<Status<WorkloadKind>>;
  const { tier = platformCache.platform?.spec.defaultTier ?? '' } = (live['spec'] ?? {}) as { readonly tier?: string };
  const ready = conditionOf(status, 'Ready');
  const isReady = ready?.status === 'True';
  const { cause } = status;
  const isRejected = cause?.reason === rejected;
  const isFailing = rejections.isLasting(uid, isRejected) || (cause !== undefined && failures.has(cause.reason));
  const failure = isFailing ? cause : undefined;
  return {
    ...{ uid, kind, project: namespace, tier, labels, created, perNode: traitsOf(kind).perNode },
    key: `${kind}/${namespace}/${name}`,
    pods: Math.max(1, stores.podsOf(kind, namespace, name).length),
    target: move.target,
    isMoved: move.isMoved,
    // A status that names the revision was computed from objects that were applied at it.
    isSettled: move.isMoved && isReady && status.observedGeneration === generation,
    isReady,
    ...(!isReady && { unreadySince: ready?.lastTransitionTime }),
    ...(failure && { failure: `${failure.reason}: ${failure.message}` }),
    ...(move.blocked !== undefined && { blocked: move.blocked }),
  };
}

/**
 * Returns the workloads that other rollouts than that of a name have released and whose pods still change: those of stopped ones, and
 * those in transit of open ones.
 */
export function workloadsInMotion(name: string, context: ReconcileContext): readonly WorkloadInMotion[] {
  const { stores, now } = context;
  const rollouts = stores.resources('PlatformRollout').map(({ metadata, spec, status }) => ({
    name: metadata.name,
    spec: spec as RolloutSpec,
    status: status as RolloutStatus | undefined,
  }));
  const scopes = [...new Set(rollouts.filter(({ status }) => isRolloutLeft(status)).map(({ spec }) => spec.project))];
  const left = scopes.flatMap((project) => {
    const accepted = acceptedAtPresent(context, project);
    const workloads = () => (project === undefined ? stores.workloads() : stores.workloadsIn(project));
    return leftInMotion(
      rolloutsOf(rollouts, project),
      () => workloads().flatMap((live) => leftWorkloadOf(live, project, stores, accepted)),
      now(),
    );
  });
  const open = rollouts.filter((one) => one.name !== name && !isRolloutEnded(one.status));
  const released = releasedElsewhere(open, now());
  const inTransit = stores
    .workloads()
    .filter(({ metadata }) => released.has(metadata.uid))
    .map(({ kind, metadata: { uid, namespace: project = '', name: workload } }) => ({
      ...{ uid, project },
      pods: isWorkloadKind(kind) ? Math.max(1, stores.podsOf(kind, project, workload).length) : 1,
    }));
  return [...new Map([...left, ...inTransit].map((one) => [one.uid, one])).values()];
}

function leftWorkloadOf(
  live: LiveObject,
  inProject: string | undefined,
  stores: ReconcileContext['stores'],
  accepted: AcceptedRevisions,
): readonly LeftWorkload[] {
  const { kind, metadata, status } = live;
  const { uid, namespace: project = '', name, generation } = metadata;
  if (!isWorkloadKind(kind) || isRunKind(kind)) return [];
  const subject = inProject === undefined ? 'Platform' : 'Project';
  const record = revisionRecordOf(status, subject);
  const sources = recordSources(stores.ownedBy(uid), live, subject);
  const recorded = recordedRevision(record, sources, accepted(record, uid), subject);
  if (recorded === undefined) return [];
  const { cause, observedGeneration } = (status ?? {}) as Partial<Status<WorkloadKind>>;
  const isReady = conditionOf(status, 'Ready')?.status === 'True' && observedGeneration === generation;
  const pods = Math.max(1, stores.podsOf(kind, project, name).length);
  return [{ uid, project, pods, record, recorded, isReady, isFailing: failures.has(cause?.reason ?? '') }];
}

/** Returns the unready workloads of the cluster. */
export function unreadyWorkloads({ stores, platformCache }: ReconcileContext): readonly UnreadyWorkload[] {
  return stores.workloads().flatMap(({ kind, metadata, spec, status }) => {
    const ready = conditionOf(status, 'Ready');
    if (!isWorkloadKind(kind) || isRunKind(kind) || ready?.status === 'True') return [];
    const { tier = platformCache.platform?.spec.defaultTier ?? '' } = (spec ?? {}) as { readonly tier?: string };
    const { uid, namespace = '', name, creationTimestamp: created } = metadata;
    return [{ uid, tier, created, key: `${kind}/${namespace}/${name}`, unreadySince: ready?.lastTransitionTime }];
  });
}
