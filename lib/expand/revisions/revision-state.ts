import { safeParseManifest, type PlatformManifest, type Spec, type Status } from '../../api';
import { type PlatformRevision } from './platform-revision';
import { projectRevisionsOf, type ProjectRevisions } from './project-revision';
import { newestRolloutsFirst, rollbackOfRollout, type StoredRollout } from './current-rollout';
import { isRollbackExpected } from './next-rollout-step';
import { type RolloutDirection } from './rollout-move';
import {
  isRevisionTested,
  isRolloutEnded,
  isRolloutLeft,
  releasedRevisions,
  rolloutsOf,
  rolloutsSinceCompleted,
} from './rollout-progress';

/** Revision of a Platform in a cluster. */
export interface StoredRevision extends PlatformRevision {
  /** Time of its creation, RFC 3339. @default - unknown, so that it counts as the oldest */
  readonly created?: string | undefined;
}

/** How far the present revision of a Platform or a Project is rolled out. */
export interface RevisionProgress {
  /** Revision of the present Platform or Project. */
  readonly current: string;
  /** Rollout to it. @default - there has been no other revision */
  readonly rollout?: string;
  /** Last revision that was rolled out. */
  readonly completed: string;
  /** Whether the canary tests the current revision: it does unless its rollout failed. */
  readonly isTested: boolean;
  /** Whether a rollout is in progress that is not a rollback. */
  readonly isOpen: boolean;
  /** Whether a rollout to the current revision ended with workloads there that others do not follow. */
  readonly isLeft: boolean;
  /** Rollback in progress, or the one that the controller creates next. @default - none */
  readonly rollback?: RolloutDirection;
  /** Revisions that rollouts in progress have released workloads to, by UID. */
  readonly released: ReadonlyMap<string, string>;
}

/** Which revisions a Project has. */
export interface ProjectRevisionState extends RevisionProgress, Pick<ProjectRevisions, 'known'> {}

/** Which revisions a cluster has, as far as it decides which one a workload follows. */
export interface RevisionState extends RevisionProgress {
  readonly revisions: readonly StoredRevision[];
  /** Revisions of Projects, by name. @default - none, so that workloads follow the present Projects */
  readonly projects?: ReadonlyMap<string, ProjectRevisionState>;
}

/** A resource of the platform as a cluster stores it. */
export interface StoredPlatformObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string | undefined };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * Returns the state of the revisions of a cluster; undefined if workloads do not follow revisions, because the
 * Platform has no rollouts or the controller has not recorded its revision. Pure.
 */
export function revisionStateOf(
  { spec }: PlatformManifest<'Platform'>,
  platformStatus: unknown,
  stored: {
    readonly revisions: readonly StoredRevision[];
    readonly rollouts: readonly StoredPlatformObject[];
    /** @default - none, so that workloads follow the present Projects */
    readonly projects?: readonly StoredPlatformObject[];
  },
): RevisionState | undefined {
  const revisions = (platformStatus as Status<'Platform'> | undefined)?.revisions;
  if (!spec.rollouts || !revisions) return undefined;
  const all = stored.rollouts as unknown as readonly StoredRollout[];
  const projects = (stored.projects ?? []).flatMap((project): [string, ProjectRevisionState][] => {
    const { name } = project.metadata;
    const own = projectRevisionsOf(project);
    return own ? [[name, { ...progressOf(own, rolloutsOf(all, name)), known: own.known }]] : [];
  });
  return {
    ...progressOf(revisions, rolloutsOf(all, undefined)),
    revisions: stored.revisions,
    projects: new Map(projects),
  };
}

function progressOf(
  { current, completed, rollout }: NonNullable<Status<'Platform'>['revisions']>,
  rollouts: readonly StoredRollout[],
): RevisionProgress {
  const statuses = new Map(rollouts.map(({ metadata, status }) => [metadata.name, status]));
  const forward = rollouts.filter(({ spec }) => spec.rollbackOf === undefined);
  const rollback = nextRollback(rollouts);
  return {
    ...{ current, completed },
    ...(rollout !== undefined && { rollout }),
    isTested: isRevisionTested(rollout === undefined ? undefined : statuses.get(rollout)),
    isOpen: forward.some(({ status }) => !isRolloutEnded(status)),
    isLeft: forward.some(({ spec, status }) => spec.revision === current && isRolloutLeft(status)),
    ...(rollback && { rollback }),
    released: new Map([...statuses.values()].flatMap((status) => [...releasedRevisions(status)])),
  };
}

/** Returns the rollback in progress, or the one that the controller creates next. */
function nextRollback(rollouts: readonly StoredRollout[]): RolloutDirection | undefined {
  const open = rollouts.find(({ spec, status }) => spec.rollbackOf !== undefined && !isRolloutEnded(status));
  if (open) return open.spec;
  const stops = ({ status }: StoredRollout): boolean => isRolloutLeft(status) || !isRolloutEnded(status);
  const stopped = rolloutsSinceCompleted([...newestRolloutsFirst(rollouts)].reverse()).findLast(
    (rollout) => stops(rollout) && isRollbackExpected(rollout) && !rollbackOfRollout(rollouts, rollout),
  );
  return stopped && { revision: stopped.spec.revision, rollbackOf: stopped.metadata.name };
}

/** Returns the revisions of stored objects, without those that current rules reject. */
export const storedRevisionsOf = (objects: readonly StoredPlatformObject[]): readonly StoredRevision[] =>
  objects.flatMap(({ apiVersion, kind, metadata, spec }) => {
    const { name, creationTimestamp: created } = metadata;
    const { manifest } = safeParseManifest({ apiVersion, kind, metadata: { name }, spec });
    return manifest ? [{ name, created, spec: manifest.spec as Spec<'PlatformRevision'> }] : [];
  });

/** Returns the revision of a workload from before there were revisions: the completed one, or the newest with its profile. */
export function revisionWithProfile(
  profile: unknown,
  completed: string,
  revisions: readonly { readonly name: string; readonly created?: string | undefined; readonly profile?: string }[],
): string | undefined {
  if (typeof profile !== 'string') return completed;
  const withProfile = revisions.filter((one) => one.profile === profile);
  if (withProfile.some(({ name }) => name === completed)) return completed;
  const [newest] = withProfile.sort((a, b) => ((a.created ?? '') < (b.created ?? '') ? 1 : -1));
  return newest?.name;
}
