import { isOpenRollout, rolloutPhaseOf, type StoredRollout } from './current-rollout';

/** Returns what happens next with a rollout or what to do, as one sentence; `rollback` is the rollout that rolls it back. */
export function nextRolloutStep(rollout: StoredRollout, rollback: StoredRollout | undefined): string {
  const { name } = rollout.metadata;
  switch (rolloutPhaseOf(rollout)) {
    case 'Pending':
      return 'The controller starts it; if it does not, read the log of pinion-controller.';
    case 'Progressing':
      return `The controller releases workloads wave by wave; "pinion rollout pause ${name}" stops that.`;
    case 'Paused':
      return rollout.spec.paused
        ? `Continue with "pinion rollout resume ${name}", or return to the former revision with "pinion rollout rollback ${name}".`
        : `It continues by itself once the reason is gone; otherwise return to the former revision with "pinion rollout rollback ${name}".`;
    case 'Failed':
    case 'Aborted':
      return afterStop(rollout, rollback);
    case 'RolledBack':
      return `Set the former values in the Platform, or remove the cause and delete PlatformRollout ${name}, so that the controller tries again.`;
    case 'Completed':
      return 'None: all of its workloads are at its revision.';
  }
}

function afterStop({ metadata, spec, status }: StoredRollout, rollback: StoredRollout | undefined): string {
  const { name } = metadata;
  if (rollback && isOpenRollout(rollback))
    return `PlatformRollout ${rollback.metadata.name} rolls it back; follow it with "pinion rollout status ${name} --watch".`;
  if (rollback && rolloutPhaseOf(rollback) !== 'Completed')
    return `The rollback stopped as well; see "pinion rollout status ${rollback.metadata.name}".`;
  if (isRollbackExpected({ metadata, spec, ...(status && { status }) }))
    return 'The controller creates the rollback; if it does not, read the log of pinion-controller.';
  const again = `delete PlatformRollout ${name}, so that the controller tries again`;
  return spec.rollbackOf === undefined
    ? `Return to the former revision with "pinion rollout rollback ${name}", or ${again}.`
    : `Remove the cause and ${again}.`;
}

/** Returns whether the controller rolls a stopped rollout back. */
export const isRollbackExpected = (rollout: StoredRollout): boolean =>
  rollout.spec.rollbackOf === undefined &&
  (rollout.spec.rollback || (rolloutPhaseOf(rollout) === 'Failed' && rollout.spec.policy.onFailure === 'Rollback'));
