import {
  isOpenRollout,
  isRollbackExpected,
  isRolloutLeft,
  rollbackOfRollout,
  rolloutPhaseOf,
  type StoredRollout,
} from '../../../expand';
import { exitCodes, type ExitCode } from '../../command/exit-codes';

/**
 * Returns the exit code of a rollout. It is incomplete while it continues by itself, also while the controller rolls it back; a
 * rollback that stops counts as the rollout.
 */
export function rolloutResult(rollout: StoredRollout, rollouts: readonly StoredRollout[]): ExitCode {
  const rollback = rollbackOfRollout(rollouts, rollout);
  const phase = rolloutPhaseOf(rollout);
  if (isRolloutLeft(rollout.status)) {
    // Completed, its rollout becomes RolledBack next.
    if (rollback) return isDone(rollback) ? exitCodes.incomplete : rolloutResult(rollback, rollouts);
    if (isRollbackExpected(rollout)) return exitCodes.incomplete;
  }
  switch (phase) {
    case 'Completed':
      return exitCodes.success;
    case 'Failed':
      return exitCodes.rolloutFailed;
    case 'Aborted':
      return exitCodes.rolloutAborted;
    case 'RolledBack':
      return exitCodes.rolloutRolledBack;
    case 'Paused':
      return exitCodes.rolloutPaused;
    default:
      return exitCodes.incomplete;
  }
}

const isDone = (rollback: StoredRollout): boolean =>
  !isOpenRollout(rollback) && rolloutPhaseOf(rollback) === 'Completed';
