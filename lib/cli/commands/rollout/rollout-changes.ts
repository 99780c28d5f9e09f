import { completedSince, emergencyEnd, hasRolledOut, rolloutPhaseOf, type StoredRollout } from '../../../expand';
import { requireOpen, type RolloutChange } from './change-rollout';
import { RolloutError } from './read-rollouts';

const ownerKindOf = ({ spec }: StoredRollout): string => (spec.project === undefined ? 'Platform' : 'Project');

/** `pinion rollout pause`. */
export const pauseChange: RolloutChange = {
  done: 'paused; workloads in transit become ready, and no other is released',
  applies: 'open',
  patch(rollout) {
    requireOpen(rollout);
    return rollout.spec.paused ? undefined : { paused: true };
  },
};

/** `pinion rollout resume`. */
export const resumeChange: RolloutChange = {
  done: 'resumed',
  applies: 'open',
  patch(rollout) {
    requireOpen(rollout);
    if (rollout.spec.paused) return { paused: false };
    if (rolloutPhaseOf(rollout) !== 'Paused') return undefined;
    const { reason = 'unknown reason', message = '' } = rollout.status ?? {};
    throw new RolloutError(
      `PlatformRollout ${rollout.metadata.name} was not paused by a command: ${reason}${message === '' ? '' : `: ${message}`}`,
    );
  },
};

/** `pinion rollout abort`. */
export const abortChange: RolloutChange = {
  done: 'aborted',
  applies: 'open',
  consequence:
    'No other workload is released, for good; those that were released keep its revision until it is rolled back.',
  patch(rollout) {
    if (rollout.spec.aborted) return undefined;
    requireOpen(rollout);
    return { aborted: true };
  },
};

/** `pinion rollout rollback`. */
export const rollbackChange: RolloutChange = {
  done: 'rolled back by the controller; follow it with "pinion rollout status --watch"',
  applies: 'last',
  consequence: 'Pods of all workloads that it moved restart, the newest wave first, at the revisions that they had.',
  refusal(rollout, others) {
    const { name } = rollout.metadata;
    const later = completedSince(others, rollout);
    return later && rolloutPhaseOf(rollout) !== 'RolledBack'
      ? `PlatformRollout ${name} is older than ${later.metadata.name}, which has completed since, so that workloads follow that one; set the values that you want in the ${ownerKindOf(rollout)}, which starts another rollout`
      : undefined;
  },
  patch(rollout) {
    const { name } = rollout.metadata;
    if (rollout.spec.rollbackOf !== undefined)
      throw new RolloutError(`PlatformRollout ${name} is itself a rollback; abort it to stop it`);
    if (hasRolledOut(rollout.status))
      throw new RolloutError(
        `PlatformRollout ${name} has completed; set the former values in the ${ownerKindOf(rollout)}, which starts another rollout`,
      );
    return rollout.spec.rollback || rolloutPhaseOf(rollout) === 'RolledBack' ? undefined : { rollback: true };
  },
};

/** Returns the change of `pinion rollout emergency` for a number of milliseconds. */
export const emergencyChange = (reason: string, milliseconds: number): RolloutChange => ({
  done: `in an emergency: ${reason}`,
  applies: 'open',
  consequence:
    'Soak times, freezes, the canary and a missing approval do not count while it lasts; budgets and disruption budgets do. The reason is recorded in events.',
  patch(rollout, now) {
    requireOpen(rollout);
    return { emergency: { reason, until: `${new Date(now + milliseconds).toISOString().slice(0, 19)}Z` } };
  },
});

/** `pinion rollout emergency --end`. */
export const emergencyEndChange: RolloutChange = {
  done: 'without an emergency',
  applies: 'open',
  patch(rollout) {
    requireOpen(rollout);
    // JSON merge patch deletes a field that is null.
    return emergencyEnd(rollout) === undefined ? undefined : { emergency: null };
  },
};
