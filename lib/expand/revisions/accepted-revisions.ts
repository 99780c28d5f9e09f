import { type Status } from '../../api';
import { rolloutsSinceCompleted } from './rollout-progress';

/** What a cluster knows of its revisions, as far as it decides which ones the objects of a workload may have. */
export interface RevisionSources {
  /** Revision of the present Platform. */
  readonly current: string;
  /** Last revision that was rolled out. */
  readonly completed: string;
  /** Revision that a rollout in progress has released the workload to. @default - none */
  readonly released?: string | undefined;
  /** Rollouts of the cluster, oldest first. @default - none */
  readonly rollouts?: readonly {
    readonly spec: { readonly revision: string; readonly rollbackOf?: string | undefined };
    readonly status: Pick<Status<'PlatformRollout'>, 'phase'> | undefined;
  }[];
}

/**
 * Returns the revisions to which the controller may have moved a workload since its status was written: those of the Platform, the one
 * that it is released to, and those of rollouts since the last one that completed, which may have ended meanwhile. Pure.
 */
export function acceptedRevisions({
  current,
  completed,
  released,
  rollouts = [],
}: RevisionSources): ReadonlySet<string> {
  const forward = rolloutsSinceCompleted(rollouts).filter(({ spec }) => spec.rollbackOf === undefined);
  const since = forward.map(({ spec }) => spec.revision);
  return new Set([current, completed, ...(released === undefined ? [] : [released]), ...since]);
}
