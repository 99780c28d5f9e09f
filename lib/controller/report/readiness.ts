import { type RunKind } from '../../api';
import { type ConditionReason } from '../reasons';
import { type RunRecord } from '../run/run-plan';
import { type Readiness } from './conditions';
import { type WorkloadState } from './workload-state';

/** Readiness of a workload with its phase. */
export interface WorkloadReadiness<R extends string = ConditionReason> extends Readiness<R> {
  readonly phase: string;
}

/** Work in progress, such as a rollout. */
export type OpenWork = Pick<Readiness, 'reason' | 'message'>;

/** Returns the readiness of a workload with work in progress. */
export const progressingReadiness = (open: OpenWork): WorkloadReadiness => ({
  ...open,
  state: 'reconciling',
  phase: 'Progressing',
});

/** Returns the readiness of a workload whose pods run until they are replaced. */
export function continuousReadiness({ statuses }: WorkloadState, open: OpenWork | undefined): WorkloadReadiness {
  if (open) return progressingReadiness(open);
  const entries = statuses.flatMap(({ status: { counts, message } }) => (counts ? [{ counts, message }] : []));
  const desired = entries.reduce((sum, { counts }) => sum + counts.desired, 0);
  const details = entries.flatMap(({ message }) => (message === undefined ? [] : [`${message}.`]));
  const message =
    desired === 0
      ? 'No pods are desired.'
      : desired === 1
        ? 'Its pod is available.'
        : `All ${desired} pods are available.`;
  return { state: 'ready', reason: 'Available', message: [message, ...details].join(' '), phase: 'Ready' };
}

/** Returns the phase of a run that has not ended. */
export function activeRunPhase(record: RunRecord | undefined): 'Waiting' | 'Pending' | 'Running' {
  if (record?.gang?.phase === 'Waiting') return 'Waiting';
  return record?.started === undefined ? 'Pending' : 'Running';
}

/** Returns the readiness of a run: ready while it runs, when it has succeeded, and while it is suspended. */
export function runReadiness<K extends RunKind>(
  state: WorkloadState<K>,
  open: OpenWork | undefined,
  hasStarted: (state: WorkloadState<K>) => boolean,
): WorkloadReadiness {
  const { record } = state.input;
  if (record?.outcome === 'Succeeded') {
    return { state: 'ready', reason: 'Succeeded', message: 'It has succeeded.', phase: 'Succeeded' };
  }
  if (state.workload.spec.suspend)
    return { state: 'ready', reason: 'Suspended', message: 'It is suspended as requested.', phase: 'Suspended' };
  const phase = activeRunPhase(record);
  if (phase === 'Waiting') {
    return {
      state: 'reconciling',
      reason: 'GangPending',
      message: 'It is waiting for capacity for all members at once.',
      phase,
    };
  }
  if (open) return { ...open, state: 'reconciling', phase };
  return record?.started !== undefined && hasStarted(state)
    ? { state: 'ready', reason: 'Running', message: 'It is running.', phase: 'Running' }
    : { state: 'reconciling', reason: 'Starting', message: 'Its pods are starting.', phase };
}
