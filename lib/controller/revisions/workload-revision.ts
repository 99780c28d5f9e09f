import { type Status } from '../../api';
import {
  acceptedRevisions,
  ignoredRevisions,
  knownProjectRevision,
  projectRevisionsOf,
  isRevisionTested,
  recordedRevision,
  recordSources,
  releasedRevisions,
  revisionRecordOf,
  revisionWithProfile,
  selectRevision,
  type RevisionRecord,
} from '../../expand';
import { type LiveObject } from '../../client';
import { type Child } from '../observed/child';
import { type Stores } from '../observed/stores';
import { type ReconcileContext } from '../reconcile-context';
import { type RolloutSpec, type RolloutStatus } from '../rollout/rollout-workload';
import { byAge } from './by-age';
import { followedWorkload } from '../verification/followed-workload';

type Fields = Readonly<Record<string, unknown>>;

/** What the controller knows of a workload when it selects its revision. */
interface Facts {
  readonly status: Fields;
  readonly owned: readonly Child[];
  /** Runtime profile of its pods, if known. */
  readonly profile: unknown;
  readonly isRunning: boolean;
  readonly isRedeployed: () => boolean;
}

/** Returns the revision that a workload follows; undefined if the Platform has no rollouts, or none is recorded yet. */
export function workloadRevision(live: LiveObject, facts: Facts, context: ReconcileContext): string | undefined {
  const { stores, platformCache, effects } = context;
  const { namespace = '', uid } = live.metadata;
  const revisions = revisionsOf(context);
  const record = revisionRecordOf(facts.status);
  const recorded = recordedRevision(record, recordSources(facts.owned, live), acceptedAtPresent(context)(record, uid));
  // A Platform whose status is lost moves nothing until its revisions are recorded again.
  if (!revisions) return platformCache.platform?.spec.rollouts ? recorded : undefined;
  const { current, completed } = revisions;
  return selectRevision({
    ...{ recorded, current, completed },
    released: releasedRevision(uid, undefined, stores),
    isNew: Object.keys(facts.status).length === 0 && facts.owned.length === 0,
    isRunning: facts.isRunning,
    isRedeployed: recorded !== completed && facts.isRedeployed(),
    isCanary: namespace === platformCache.platform?.spec.runtime.canary?.project && isTested(revisions.rollout, stores),
    ofProfile: () => revisionWithProfile(facts.profile, completed, knownRevisions(context)),
    isUnchangedAt: (revision) => {
      const ofProject = recordedProjectRevision(live, facts.owned, context);
      const from = platformCache.contextAt(namespace, recorded ?? completed, ofProject);
      const followed = followedWorkload(live, from, context);
      const to = platformCache.contextAt(namespace, revision, ofProject);
      return followed !== undefined && effects.of(followed.source, from, to, followed.part).effect === 'unchanged';
    },
  });
}

/**
 * Returns the revision of its Project that a workload at a revision of the Platform follows; undefined if the Platform has no rollouts,
 * or none is recorded yet, so that it follows the present Project.
 */
export function workloadProjectRevision(
  live: LiveObject,
  platformRevision: string,
  facts: Omit<Facts, 'profile'>,
  context: ReconcileContext,
): string | undefined {
  const { stores, platformCache, effects } = context;
  const { namespace = '', uid } = live.metadata;
  const revisions = revisionsOf(context, namespace);
  if (!revisions) return undefined;
  const { current, completed } = revisions;
  const recorded = recordedProjectRevision(live, facts.owned, context);
  return selectRevision({
    ...{ recorded, current, completed },
    released: releasedRevision(uid, namespace, stores),
    isNew: Object.keys(facts.status).length === 0 && facts.owned.length === 0,
    isRunning: facts.isRunning,
    isRedeployed: recorded !== completed && facts.isRedeployed(),
    isCanary: namespace === platformCache.platform?.spec.runtime.canary?.project,
    ofProfile: () => undefined,
    isUnchangedAt: (revision) => {
      const from = platformCache.contextAt(namespace, platformRevision, recorded);
      const followed = followedWorkload(live, from, context);
      const to = platformCache.contextAt(namespace, platformRevision, revision);
      return followed !== undefined && effects.of(followed.source, from, to, followed.part).effect === 'unchanged';
    },
  });
}

/**
 * Returns the revision of its Project that the objects of a workload follow: the last completed one if it records none, because nothing
 * is recorded before the Project changes; undefined without revisions.
 */
export function recordedProjectRevision(
  live: LiveObject,
  owned: readonly Child[],
  context: Pick<ReconcileContext, 'stores' | 'platformCache'>,
): string | undefined {
  const { namespace = '', uid } = live.metadata;
  const revisions = revisionsOf(context, namespace);
  if (!revisions) return undefined;
  const record = revisionRecordOf(live['status'], 'Project');
  const accepted = acceptedAtPresent(context, namespace)(record, uid);
  const recorded = recordedRevision(record, recordSources(owned, live, 'Project'), accepted, 'Project');
  // After a loss of the status of the Project, a former revision is not known any more.
  const isKnown = recorded !== undefined && knownProjectRevision(projectStatus(namespace, context), recorded);
  return isKnown ? recorded : revisions.completed;
}

/** Returns whether a workload records the revision of its Project, as once the Project has had another one: until then, nothing is written. */
export const recordsProjectRevision = ({ metadata, status }: LiveObject, context: ReconcileContext): boolean =>
  revisionRecordOf(status, 'Project') !== undefined ||
  revisionsOf(context, metadata.namespace ?? '')?.rollout !== undefined;

const projectStatus = (name: string, { stores }: Pick<ReconcileContext, 'stores'>) =>
  projectRevisionsOf(stores.resource('Project', '', name));

/** Returns the revisions that objects of a workload may name beyond its status. */
export type AcceptedRevisions = (record: RevisionRecord | undefined, uid: string) => ReadonlySet<string>;

/**
 * Returns what objects of workloads may name at present, of the Platform or of a project. While the revisions of the Platform are not recorded yet, any that exists is
 * one of a workload whose status is lost, too.
 */
export function acceptedAtPresent(
  context: Pick<ReconcileContext, 'stores' | 'platformCache'>,
  project?: string,
): AcceptedRevisions {
  const { stores } = context;
  const revisions = revisionsOf(context, project);
  if (!revisions)
    return (record) => new Set(record ? [] : stores.resources('PlatformRevision').map(({ metadata }) => metadata.name));
  const { current, completed } = revisions;
  const own = stores.resources('PlatformRollout').filter(({ spec }) => (spec as RolloutSpec).project === project);
  const rollouts = byAge(own).map((rollout) => ({ spec: rollout['spec'] as RolloutSpec, status: statusOf(rollout) }));
  const ofAll = acceptedRevisions({ current, completed, rollouts });
  return (_, uid) => {
    const released = releasedRevision(uid, project, stores);
    return released === undefined || ofAll.has(released) ? ofAll : new Set([...ofAll, released]);
  };
}

/** Returns the revisions on the objects of a workload that decide nothing, because the controller has not moved it there. */
export function ignoredRevisionsOf(
  { metadata, status }: LiveObject,
  owned: readonly Child[],
  context: ReconcileContext,
): readonly string[] {
  const record = revisionRecordOf(status);
  return revisionsOf(context) ? ignoredRevisions(record, owned, acceptedAtPresent(context)(record, metadata.uid)) : [];
}

/** Returns the revisions of a project, or else of the Platform; undefined if the Platform has no rollouts. */
export function revisionsOf(
  { stores, platformCache }: Pick<ReconcileContext, 'stores' | 'platformCache'>,
  project?: string,
): Status<'Platform'>['revisions'] {
  if (!platformCache.platform?.spec.rollouts) return undefined;
  if (project !== undefined) return projectRevisionsOf(stores.resource('Project', '', project));
  return (stores.resource('Platform', '', 'cluster')?.['status'] as Status<'Platform'> | undefined)?.revisions;
}

const statusOf = (rollout: LiveObject | undefined) => rollout?.['status'] as RolloutStatus | undefined;

const isTested = (rollout: string | undefined, stores: Stores): boolean =>
  isRevisionTested(rollout === undefined ? undefined : statusOf(stores.resource('PlatformRollout', '', rollout)));

const released = new WeakMap<LiveObject, ReadonlyMap<string, string>>();

/** Returns the revision that a rollout in progress of a project, or else of the Platform, has released a workload to. */
export function releasedRevision(uid: string, project: string | undefined, stores: Stores): string | undefined {
  for (const rollout of stores.resources('PlatformRollout')) {
    if ((rollout['spec'] as RolloutSpec).project !== project) continue;
    let byUid = released.get(rollout);
    if (!byUid) {
      byUid = releasedRevisions(statusOf(rollout));
      released.set(rollout, byUid);
    }
    const revision = byUid.get(uid);
    if (revision !== undefined) return revision;
  }
  return undefined;
}

/** Returns the revisions of the cluster with their profiles. */
const knownRevisions = ({ stores, platformCache }: ReconcileContext) =>
  stores.resources('PlatformRevision').map(({ metadata: { name, creationTimestamp } }) => {
    const profile = platformCache.profileOfRevision(name);
    return { name, created: creationTimestamp, ...(profile !== undefined && { profile }) };
  });
