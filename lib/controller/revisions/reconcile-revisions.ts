import { apiVersion, type PlatformManifest, type Status } from '../../api';
import {
  isRolloutEnded,
  platformRevisionOf,
  revisionRecordOf,
  revisionsOnObjects,
  rolloutsOf,
  type PlatformContext,
  type PlatformRevision,
  type RevisionSubject,
} from '../../expand';
import { isApiError, type LiveObject, type SentObject } from '../../client';
import { type ReconcileContext } from '../reconcile-context';
import { byAge } from './by-age';
import { type RolloutSpec, type RolloutStatus } from '../rollout/rollout-workload';
import {
  firstRevisions,
  isOrphan,
  neededRollout,
  nextRevisions,
  type NeededRollout,
  type PlatformRevisions,
  type RolloutFacts,
} from './needed-rollouts';

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
    const former = await formerRevision(current.name, context);
    const first = firstRevisions(current.name, live.metadata.generation ?? 0, recorded, former);
    const rollout = neededRollout(first, rolloutFactsOf(undefined, context));
    if (rollout) await ensure(rolloutObject(rollout, policy), context);
    return first;
  }
  const rollouts = rolloutFactsOf(undefined, context);
  const next = nextRevisions(previous, current.name, live.metadata.generation ?? 0, rollouts);
  const rollout = neededRollout(next, await withoutOrphans(next, rollouts, context));
  if (rollout) await ensure(rolloutObject(rollout, policy), context);
  await removeUnused(next, context);
  return next;
}

/** Records the revision that workloads have by the status of the Platform, from before its present spec; returns its name, if there is one. */
async function formerRevision(current: string, context: ReconcileContext): Promise<string | undefined> {
  const result = context.platformCache.recordedCluster();
  if (!result || !('cluster' in result)) return undefined;
  const revision = platformRevisionOf(result.cluster);
  // The cache does not have the current one yet.
  if (revision.name !== current) await ensure(revisionObject(revision), context);
  return revision.name;
}

/** Returns the rollouts of a Project, oldest first; without one, those of the Platform. */
export const rolloutFactsOf = (
  project: string | undefined,
  { stores }: Pick<ReconcileContext, 'stores'>,
): readonly RolloutFacts[] => rolloutsOf(byAge(stores.resources('PlatformRollout')).map(factsOf), project);

/** Deletes the rollouts of a Platform or a Project that must not start; returns the others. */
export async function withoutOrphans(
  revisions: PlatformRevisions,
  rollouts: readonly RolloutFacts[],
  { stores, writer }: ReconcileContext,
): Promise<readonly RolloutFacts[]> {
  for (const { name } of rollouts.filter((one) => isOrphan(revisions, one))) {
    const live = stores.resource('PlatformRollout', '', name);
    if (live) await writer.removeResource(live);
  }
  return rollouts.filter((one) => !isOrphan(revisions, one));
}

const factsOf = ({ metadata, spec, status }: LiveObject): RolloutFacts => ({
  name: metadata.name,
  uid: metadata.uid,
  spec: spec as RolloutSpec,
  status: status as RolloutStatus | undefined,
});

const revisionObject = ({ name, spec }: PlatformRevision): SentObject => ({
  apiVersion,
  kind: 'PlatformRevision',
  metadata: { name },
  spec,
});

/** Returns a rollout with the policy of the Platform, as it is created. */
export const rolloutObject = (
  { name, ...spec }: NeededRollout & Pick<RolloutSpec, 'project'>,
  policy: NonNullable<Platform['spec']['rollouts']>,
): SentObject => ({
  apiVersion,
  kind: 'PlatformRollout',
  metadata: { name },
  spec: { ...spec, policy },
});

/** Creates an object unless it exists. */
export async function ensure(object: SentObject, { stores, writer }: ReconcileContext): Promise<void> {
  if (stores.resource(object.kind as 'PlatformRevision', '', object.metadata.name)) return;
  try {
    await writer.create(object);
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

/** Deletes the oldest ended rollouts of a Project, or else of the Platform, except the one that its status names. */
export async function removeEndedRollouts(
  project: string | undefined,
  { rollout, kept }: { readonly rollout: string | undefined; readonly kept: number },
  { stores, writer }: ReconcileContext,
): Promise<void> {
  const ended = byAge(stores.resources('PlatformRollout')).filter(
    ({ metadata, spec, status }) =>
      (spec as RolloutSpec).project === project &&
      metadata.name !== rollout &&
      isRolloutEnded(status as RolloutStatus | undefined),
  );
  for (const one of ended.slice(0, Math.max(0, ended.length - kept))) await writer.removeResource(one);
}

/** Returns the revisions of the Platform or of their Project that workloads follow, or followed before. */
export const revisionsOfWorkloads = (
  workloads: readonly LiveObject[],
  subject: RevisionSubject,
  stores: Pick<ReconcileContext['stores'], 'ownedBy'>,
): readonly string[] =>
  workloads.flatMap(({ status, metadata }) => {
    const record = revisionRecordOf(status, subject);
    // A workload whose status is lost is at the revision on its objects.
    const onObjects = record ? (record.applied ?? []) : revisionsOnObjects(stores.ownedBy(metadata.uid), subject);
    return [record?.name, record?.former, ...onObjects].filter((name) => name !== undefined);
  });

/** Deletes the oldest ended rollouts, and the oldest revisions that neither a workload nor a rollout nor the Platform names. */
async function removeUnused(
  { current, completed, rollout }: PlatformRevisions,
  context: ReconcileContext,
): Promise<void> {
  const { stores, writer } = context;
  const rollouts = byAge(stores.resources('PlatformRollout'));
  await removeEndedRollouts(undefined, { rollout, kept: maxKept }, context);
  // Those of a Project are deleted with it.
  for (const one of rollouts) {
    const { project } = one['spec'] as RolloutSpec;
    if (project !== undefined && !stores.resource('Project', '', project)) await writer.removeResource(one);
  }
  const used = new Set([
    ...[current, completed, ...rollouts.map(({ spec }) => (spec as RolloutSpec).revision)],
    ...revisionsOfWorkloads(stores.workloads(), 'Platform', stores),
  ]);
  const unused = byAge(stores.resources('PlatformRevision')).filter(({ metadata }) => !used.has(metadata.name));
  for (const one of unused.slice(0, Math.max(0, unused.length - maxKept))) await writer.removeResource(one);
}
