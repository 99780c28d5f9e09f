import { apiVersion, type PlatformManifest, type Status } from '../../api';
import {
  isRolloutEnded,
  platformRevisionOf,
  revisionRecordOf,
  revisionsOnObjects,
  type PlatformContext,
  type PlatformRevision,
} from '../../expand';
import { isApiError, type LiveObject, type SentObject } from '../../client';
import { type ReconcileContext } from '../reconcile-context';
import { type RolloutSpec, type RolloutStatus } from '../rollout/rollout-workload';

/** Revisions in the status of the Platform. */
export type PlatformRevisions = NonNullable<Status<'Platform'>['revisions']>;
type Platform = PlatformManifest<'Platform'>;

/** Number of ended rollouts and of unused revisions that are kept. */
const maxKept = 10;

/**
 * Records the revision of the Platform, and creates the rollout to it, or back from one that failed. Returns the revisions for the
 * status; undefined if the Platform has no rollouts. Objects are created before the status names them: after a crash nothing is lost.
 */
export async function reconcileRevisions(
  live: LiveObject,
  cluster: PlatformContext,
  context: ReconcileContext,
): Promise<PlatformRevisions | undefined> {
  const { platform } = cluster;
  const policy = platform.spec.rollouts;
  if (!policy) return undefined;
  const previous = (live['status'] as Status<'Platform'> | undefined)?.revisions;
  const current = platformRevisionOf(cluster);
  await ensure(revisionObject(current), context);
  if (!previous) {
    await recordFormerProfiles(live, cluster, context);
    const recorded = context.stores.workloads().flatMap(({ status }) => revisionRecordOf(status)?.name ?? []);
    return firstRevisions(current.name, live.metadata.generation ?? 0, recorded);
  }
  const rollouts = byAge(context.stores.resources('PlatformRollout')).map(factsOf);
  const next = nextRevisions(previous, current.name, live.metadata.generation ?? 0, rollouts);
  for (const rollout of neededRollouts(next, await withoutOrphans(next, rollouts, context)))
    await ensure(rolloutObject(rollout, policy), context);
  await removeUnused(next, context);
  return next;
}

/**
 * Returns the revisions of a Platform that has none in its status. If workloads have recorded revisions, the status was lost: that of
 * most workloads counts as the last one that was rolled out, so that the present one reaches them by a rollout. Pure.
 */
export function firstRevisions(current: string, generation: number, recorded: readonly string[]): PlatformRevisions {
  const counts = new Map<string, number>();
  for (const name of recorded) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[completed] = [current]] = [...counts].sort(([, one], [, other]) => other - one);
  return { current, completed, ...(completed !== current && { rollout: rolloutName(current, generation) }) };
}

/** Returns the name of the rollout to a revision that a generation of the Platform has. */
const rolloutName = (revision: string, generation: number): string => `rollout-${generation}-${revision.slice(-8)}`;

/** What matters of a rollout to the Platform. */
export interface RolloutFacts {
  readonly name: string;
  readonly uid: string;
  readonly spec: RolloutSpec;
  readonly status: RolloutStatus | undefined;
}

/** Deletes rollouts that the Platform created before it changed again, and that have not started. */
async function withoutOrphans(
  { rollout }: PlatformRevisions,
  rollouts: readonly RolloutFacts[],
  { stores, writer }: ReconcileContext,
): Promise<readonly RolloutFacts[]> {
  const isOrphan = ({ name, spec, status }: RolloutFacts): boolean =>
    status === undefined && spec.rollbackOf === undefined && name !== rollout;
  for (const { name } of rollouts.filter(isOrphan)) {
    const live = stores.resource('PlatformRollout', '', name);
    if (live) await writer.removeResource(live);
  }
  return rollouts.filter((one) => !isOrphan(one));
}

const factsOf = ({ metadata, spec, status }: LiveObject): RolloutFacts => ({
  name: metadata.name,
  uid: metadata.uid,
  spec: spec as RolloutSpec,
  status: status as RolloutStatus | undefined,
});

/** Returns the revisions after the Platform has one. Pure. */
export function nextRevisions(
  previous: PlatformRevisions,
  current: string,
  generation: number,
  rollouts: readonly RolloutFacts[],
): PlatformRevisions {
  const own = rollouts.find(({ name }) => name === previous.rollout);
  const isCompleted = own?.status?.phase === 'Completed' && own.spec.rollbackOf === undefined;
  const completed = isCompleted ? own.spec.revision : previous.completed;
  if (current === previous.current) return { ...previous, completed };
  return { current, completed, rollout: rolloutName(current, generation) };
}

/** A rollout to create. */
export interface NeededRollout {
  readonly name: string;
  readonly revision: string;
  readonly rollbackOf?: string;
}

/** Returns the rollout that the Platform needs and that does not exist; none while another is in progress. Pure. */
export function neededRollouts(
  { current, completed, rollout }: PlatformRevisions,
  rollouts: readonly RolloutFacts[],
): readonly NeededRollout[] {
  if (rollouts.some(({ status }) => !isRolloutEnded(status))) return [];
  const exists = (name: string): boolean => rollouts.some((one) => one.name === name);
  const rollbacks = rollouts.filter((one) => wantsRollback(one)).map(rollbackTo);
  const missing = rollbacks.findLast(({ name }) => !exists(name));
  if (missing) return [missing];
  if (rollout === undefined) return [];
  if (current !== completed) return exists(rollout) ? [] : [{ name: rollout, revision: current }];
  // The Platform is what it was: workloads that have moved since return at once, without a canary or soak.
  const isOfPlatform = ({ name }: RolloutFacts): boolean => name === rollout || name.startsWith(`${rollout}-`);
  const left = leftRollouts(rollouts, isOfPlatform).findLast(({ spec }) => spec.revision !== current);
  if (!left) return [];
  const name = exists(rollout) ? `${rollout}-${left.uid.slice(0, 8)}` : rollout;
  return [{ name, revision: left.spec.revision, rollbackOf: left.name }];
}

/** Returns the rollouts that have ended with workloads at their revision, and that no later one has moved or undone. */
function leftRollouts(
  rollouts: readonly RolloutFacts[],
  isOfPlatform: (one: RolloutFacts) => boolean,
): readonly RolloutFacts[] {
  const last = rollouts.findLastIndex(({ spec, status }) => !spec.rollbackOf && status?.phase === 'Completed');
  const later = rollouts.slice(last + 1);
  const isTakenBack = ({ name }: RolloutFacts): boolean =>
    later.some((one) => one.spec.rollbackOf === name && (one.status?.phase === 'Completed' || isOfPlatform(one)));
  return later.filter((one) => one.spec.rollbackOf === undefined && isLeft(one.status) && !isTakenBack(one));
}

/** Returns whether a rollback returns workloads because the Platform is what it was, not because a rollout stopped. */
export const isReturn = (name: string, { rollbackOf }: Pick<RolloutSpec, 'rollbackOf'>): boolean =>
  rollbackOf !== undefined && !name.startsWith(`${rollbackOf}-rollback`);

/** Returns whether a rollout has ended with workloads at its revision that others do not have. */
const isLeft = (status: RolloutStatus | undefined): boolean =>
  status?.phase === 'Failed' || status?.phase === 'Aborted';

const wantsRollback = ({ spec, status }: RolloutFacts): boolean =>
  spec.rollbackOf === undefined &&
  (spec.rollback ? isLeft(status) : status?.phase === 'Failed' && spec.policy.onFailure === 'Rollback');

/** Returns the rollback of a rollout; another one of the same name, from after its deletion, has another rollback. */
const rollbackTo = ({ name, uid, spec }: RolloutFacts): NeededRollout => ({
  name: `${name}-rollback-${uid.slice(0, 8)}`,
  revision: spec.revision,
  rollbackOf: name,
});

const revisionObject = ({ name, spec }: PlatformRevision): SentObject => ({
  apiVersion,
  kind: 'PlatformRevision',
  metadata: { name },
  spec,
});

const rolloutObject = (
  { name, ...spec }: NeededRollout,
  policy: NonNullable<Platform['spec']['rollouts']>,
): SentObject => ({
  apiVersion,
  kind: 'PlatformRollout',
  metadata: { name },
  spec: { ...spec, policy },
});

/** Creates an object unless it exists. */
async function ensure(object: SentObject, { stores, writer }: ReconcileContext): Promise<void> {
  if (stores.resource(object.kind as 'PlatformRevision', '', object.metadata.name)) return;
  try {
    await writer.createRecord(object);
  } catch (error) {
    // The watch has not delivered it yet.
    if (!isApiError(error, 409)) throw error;
  }
}

/** Records the revisions of workloads that have another profile than the Platform from before it had rollouts. */
async function recordFormerProfiles(
  live: LiveObject,
  cluster: PlatformContext,
  context: ReconcileContext,
): Promise<void> {
  const status = live['status'] as Status<'Platform'> | undefined;
  for (const name of Object.keys(status?.profiles ?? {})) {
    if (name === cluster.profile.metadata.name) continue;
    const result = context.platformCache.cluster(name);
    if (!('cluster' in result)) continue;
    await ensure(revisionObject(platformRevisionOf(result.cluster)), context);
  }
}

/** Deletes the oldest ended rollouts, and the oldest revisions that neither a workload nor a rollout nor the Platform names. */
async function removeUnused(
  { current, completed, rollout }: PlatformRevisions,
  context: ReconcileContext,
): Promise<void> {
  const { stores, writer } = context;
  const rollouts = byAge(stores.resources('PlatformRollout'));
  const ended = rollouts.filter(
    ({ metadata, status }) => metadata.name !== rollout && isRolloutEnded(status as RolloutStatus | undefined),
  );
  for (const one of ended.slice(0, Math.max(0, ended.length - maxKept))) await writer.removeResource(one);
  const used = new Set([current, completed, ...rollouts.map(({ spec }) => (spec as RolloutSpec).revision)]);
  for (const { status, metadata } of stores.workloads()) {
    const record = revisionRecordOf(status);
    // A workload whose status is lost is at the revision on its objects.
    const onObjects = record ? (record.applied ?? []) : revisionsOnObjects(stores.ownedBy(metadata.uid));
    for (const name of [record?.name, record?.former, ...onObjects]) if (name !== undefined) used.add(name);
  }
  const unused = byAge(stores.resources('PlatformRevision')).filter(({ metadata }) => !used.has(metadata.name));
  for (const one of unused.slice(0, Math.max(0, unused.length - maxKept))) await writer.removeResource(one);
}

const byAge = (objects: readonly LiveObject[]): LiveObject[] =>
  [...objects].sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
