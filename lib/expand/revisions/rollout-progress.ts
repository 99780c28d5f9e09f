import { builtInWaves, type Status } from '../../api';

type RolloutStatus = Status<'PlatformRollout'>;

const endedPhases: ReadonlySet<string> = new Set(['Failed', 'Aborted', 'RolledBack', 'Completed']);

/** Returns the rollouts of a Project; without one, those of the Platform. */
export const rolloutsOf = <Rollout extends { readonly spec: { readonly project?: string | undefined } }>(
  rollouts: readonly Rollout[],
  project: string | undefined,
): readonly Rollout[] => rollouts.filter(({ spec }) => spec.project === project);

/** Returns whether a rollout has ended. */
export const isRolloutEnded = (status: Pick<RolloutStatus, 'phase'> | undefined): boolean =>
  endedPhases.has(status?.phase ?? '');

/** Returns whether a rollout has stopped with workloads at its revision that others do not follow. */
export const isRolloutLeft = (status: Pick<RolloutStatus, 'phase'> | undefined): boolean =>
  status?.phase === 'Failed' || status?.phase === 'Aborted';

/**
 * Returns whether all workloads from before the start of a rollout have followed its revision. What was created since moves last; what
 * is created from now on starts at the revision, so that the rollout ends.
 */
export const hasRolledOut = (status: Pick<RolloutStatus, 'phase' | 'waves'> | undefined): boolean =>
  status?.phase === 'Completed' ||
  (status?.waves ?? []).some(({ name, started }) => name === builtInWaves.created && started !== undefined);

/**
 * Returns the rollouts after the last one that has completed, of rollouts with the oldest first: workloads follow what has completed,
 * so that earlier ones decide nothing.
 */
export function rolloutsSinceCompleted<
  Rollout extends {
    readonly spec: { readonly rollbackOf?: string | undefined };
    readonly status?: Pick<RolloutStatus, 'phase'> | undefined;
  },
>(oldestFirst: readonly Rollout[]): readonly Rollout[] {
  const isCompleted = ({ spec, status }: Rollout): boolean =>
    spec.rollbackOf === undefined && status?.phase === 'Completed';
  return oldestFirst.slice(1 + oldestFirst.findLastIndex(isCompleted));
}

/** Returns whether the canary tests the revision of a rollout: one that failed or was aborted is not rolled out. */
export const isRevisionTested = (status: Pick<RolloutStatus, 'phase'> | undefined): boolean =>
  !isRolloutEnded(status) || status?.phase === 'Completed';

/** Returns the revisions that a rollout has released workloads to which are not ready there yet, by UID. */
export const releasedRevisions = (status: Pick<RolloutStatus, 'transit'> | undefined): ReadonlyMap<string, string> =>
  new Map((status?.transit ?? []).map(({ uid, revision }) => [uid, revision]));
