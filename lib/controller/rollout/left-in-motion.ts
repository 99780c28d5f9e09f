import { isRolloutLeft, secondsOf, type RevisionRecord } from '../../expand';
import { type RolloutSpec, type RolloutStatus, type WorkloadInMotion } from './rollout-workload';

/** A rollout of the Platform with its status. */
interface StoppedRollout {
  readonly spec: Pick<RolloutSpec, 'revision' | 'rollbackOf' | 'policy'>;
  readonly status: RolloutStatus | undefined;
}

/** What is known of a workload that a stopped rollout may have released. */
export interface LeftWorkload extends WorkloadInMotion {
  readonly record: RevisionRecord | undefined;
  /** Revision of its objects. */
  readonly recorded: string;
  /** Whether it is ready at its revision as its status says. */
  readonly isReady: boolean;
  /** Whether its pods fail by themselves, so that no more of them change. */
  readonly isFailing: boolean;
}

/**
 * Returns the UIDs of what open rollouts have in transit. One that is longer there than `stalledAfter` holds no other rollout: a tenant
 * could otherwise use up the budget of the cluster with pods that never become ready. Pure.
 */
export const releasedElsewhere = (
  open: readonly Pick<StoppedRollout, 'spec' | 'status'>[],
  now: number,
): ReadonlySet<string> =>
  new Set(
    open.flatMap(({ spec, status }) =>
      (status?.transit ?? [])
        .filter(({ since }) => now - Date.parse(since) <= secondsOf(spec.policy.stalledAfter) * 1000)
        .map(({ uid }) => uid),
    ),
  );

/**
 * Returns the workloads that stopped rollouts have released and whose pods still change: another rollout may begin meanwhile. They
 * count until they are ready, or until `stalledAfter` has passed since the end of the rollout. Pure.
 */
export function leftInMotion<Workload extends LeftWorkload>(
  rollouts: readonly StoppedRollout[],
  workloads: () => readonly Workload[],
  now: number,
): readonly Workload[] {
  const recent = rollouts.filter(
    ({ spec, status }) =>
      isRolloutLeft(status) && now - Date.parse(status?.ended ?? '') <= secondsOf(spec.policy.stalledAfter) * 1000,
  );
  if (recent.length === 0) return [];
  return workloads().filter(
    (workload) => !isSettled(workload) && !workload.isFailing && recent.some(({ spec }) => hasFollowed(spec, workload)),
  );
}

const isSettled = ({ record, recorded, isReady }: LeftWorkload): boolean => isReady && record?.name === recorded;

/** Returns whether the objects of a workload follow the revision that a rollout moves it to. */
function hasFollowed({ revision, rollbackOf }: StoppedRollout['spec'], { record, recorded }: LeftWorkload): boolean {
  const former = record?.name === recorded ? record.former : record?.name;
  return rollbackOf === undefined
    ? recorded === revision && former !== undefined
    : recorded !== revision && former === revision;
}
