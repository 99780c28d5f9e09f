import { type RunKind } from '../../api';
import { type ConditionReason } from '../reasons';
import { type RunRecord } from '../run/run-plan';
import { type Readiness } from './conditions';
import { type WorkloadState } from './workload-state';

/** Readiness of a workload with its phase. */
export interface WorkloadReadiness<R extends string = ConditionReason> extends Readiness<R> {
  readonly phase: string;
}

/** Work that has started and is not finished, such as a rollout. */
export type OpenWork = Pick<Readiness, 'reason' | 'message'>;

/** Returns the readiness of a workload with open work. */
export const progressingReadiness = (open: OpenWork): WorkloadReadiness => ({
  ...open,
  state: 'reconciling',
  phase: 'Progressing',
});

/** Returns the readiness of a workload whose pods run until they are replaced. */
export function continuousReadiness({ statuses }: WorkloadState, open: OpenWork | undefined): WorkloadReadiness {
  if (open) return progressingReadiness(open);
  const counted = statuses.flatMap(({ status: { counts, message } }) => (counts ? [{ counts, message }] : []));
  const wanted = counted.reduce((sum, { counts }) => sum + counts.wanted, 0);
  const rest = counted.flatMap(({ message }) => (message === undefined ? [] : [`${message}.`]));
  const message =
    wanted === 0 ? 'No pod is desired.' : wanted === 1 ? 'Its pod is available.' : `All ${wanted} pods are available.`;
  return { state: 'ready', reason: 'Available', message: [message, ...rest].join(' '), phase: 'Ready' };
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
  hasBegun: (state: WorkloadState<K>) => boolean,
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
      message: 'It waits until all members fit at once.',
      phase,
    };
  }
  if (open) return { ...open, state: 'reconciling', phase };
  return record?.started !== undefined && hasBegun(state)
    ? { state: 'ready', reason: 'Running', message: 'It runs.', phase: 'Running' }
    : { state: 'reconciling', reason: 'Starting', message: 'Its pods are starting.', phase };
}
