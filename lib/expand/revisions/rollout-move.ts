import { type Spec } from '../../api';
import { type RevisionRecord } from './recorded-revision';

/** Part of the spec of a rollout that says where it moves workloads. */
export type RolloutDirection = Pick<Spec<'PlatformRollout'>, 'revision' | 'rollbackOf' | 'returnTo'>;

/** Move of a workload by a rollout. */
export interface RolloutMove {
  /** Revision that the rollout moves it to. */
  readonly target: string;
  readonly isMoved: boolean;
}

/** What the move of a workload depends on besides the rollout. */
export interface MovingWorkload {
  /** Record of its status. @default - it has none */
  readonly record: RevisionRecord | undefined;
  /** Revision that it follows. */
  readonly recorded: string;
  /** Revision that the rollout has released it to. @default - none */
  readonly released?: string | undefined;
}

/** Returns where a rollout moves a workload; undefined if the rollout is not about it. Pure. */
export function rolloutMoveOf(
  { revision, rollbackOf, returnTo }: RolloutDirection,
  { record, recorded, released }: MovingWorkload,
  completed: string,
): RolloutMove | undefined {
  // Its objects may follow the revision before its status says so, or only some of them.
  if (released !== undefined) return { target: released, isMoved: recorded === released && record?.name === released };
  const isAtRevision = recorded === revision;
  const former = record?.name === recorded ? record.former : record?.name;
  if (rollbackOf === undefined) {
    if (!isAtRevision) return { target: revision, isMoved: false };
    return former === undefined ? undefined : { target: revision, isMoved: record?.name === revision };
  }
  if (isAtRevision) return { target: returnTo ?? former ?? completed, isMoved: false };
  return former === revision && record?.name === recorded ? { target: recorded, isMoved: true } : undefined;
}
