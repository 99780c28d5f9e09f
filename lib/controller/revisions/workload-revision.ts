import { type Status } from '../../api';
import {
  acceptedRevisions,
  ignoredRevisions,
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
    released: releasedRevision(uid, stores),
    isNew: Object.keys(facts.status).length === 0 && facts.owned.length === 0,
    isRunning: facts.isRunning,
    isRedeployed: recorded !== completed && facts.isRedeployed(),
    isCanary: namespace === platformCache.platform?.spec.runtime.canary?.project && isTested(revisions.rollout, stores),
    ofProfile: () => revisionWithProfile(facts.profile, completed, knownRevisions(context)),
    isUnchangedAt: (revision) => {
      const from = platformCache.contextAt(namespace, recorded ?? completed);
      const followed = followedWorkload(live, from, context);
      const to = platformCache.contextAt(namespace, revision);
      return followed !== undefined && effects.of(followed.source, from, to, followed.part).effect === 'unchanged';
    },
  });
}

/** Returns the revisions that objects of a workload may name beyond its status. */
export type AcceptedRevisions = (record: RevisionRecord | undefined, uid: string) => ReadonlySet<string>;

/**
 * Returns what objects of workloads may name at present. While the revisions of the Platform are not recorded yet, any that exists is
 * one of a workload whose status is lost, too.
 */
export function acceptedAtPresent(context: Pick<ReconcileContext, 'stores' | 'platformCache'>): AcceptedRevisions {
  const { stores } = context;
  const revisions = revisionsOf(context);
  if (!revisions)
    return (record) => new Set(record ? [] : stores.resources('PlatformRevision').map(({ metadata }) => metadata.name));
  const { current, completed } = revisions;
  const rollouts = byAge(stores.resources('PlatformRollout')).map((rollout) => ({
    spec: rollout['spec'] as RolloutSpec,
    status: statusOf(rollout),
  }));
  const ofAll = acceptedRevisions({ current, completed, rollouts });
  return (_, uid) => {
    const released = releasedRevision(uid, stores);
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

/** Returns the revisions of the Platform; undefined if it has no rollouts. */
export function revisionsOf({
  stores,
  platformCache,
}: Pick<ReconcileContext, 'stores' | 'platformCache'>): Status<'Platform'>['revisions'] {
  if (!platformCache.platform?.spec.rollouts) return undefined;
  return (stores.resource('Platform', '', 'cluster')?.['status'] as Status<'Platform'> | undefined)?.revisions;
}

const statusOf = (rollout: LiveObject | undefined) => rollout?.['status'] as RolloutStatus | undefined;

const isTested = (rollout: string | undefined, stores: Stores): boolean =>
  isRevisionTested(rollout === undefined ? undefined : statusOf(stores.resource('PlatformRollout', '', rollout)));

const released = new WeakMap<LiveObject, ReadonlyMap<string, string>>();

/** Returns the revision that a rollout in progress has released a workload to. */
export function releasedRevision(uid: string, stores: Stores): string | undefined {
  for (const rollout of stores.resources('PlatformRollout')) {
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
