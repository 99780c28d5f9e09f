import { type ConditionReason } from '../reasons';

/**
 * State of an object.
 *
 * `Ready`, `Running`, `Succeeded`, `Suspended`, `Pending` and `Resizing` are normal: a claim may be `Pending` until a
 * pod needs it, and a Job that has not started is evaluated with its workload.
 */
export type ObjectState =
  | 'Ready'
  | 'Running'
  | 'Succeeded'
  | 'Suspended'
  | 'Pending'
  | 'Resizing'
  | 'Progressing'
  | 'Failed'
  | 'Terminating'
  | 'Missing';

/** Pod counts of an object. */
export interface PodCounts {
  readonly desired: number;
  readonly existing: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
}

/** Status of an object. */
export interface ObjectStatus {
  readonly state: ObjectState;
  /** Reason, if the state does not imply one. @default - its rollout is in progress */
  readonly reason?: ConditionReason;
  readonly message?: string;
  readonly counts?: PodCounts;
}

/** Returns whether a state keeps its workload from being ready. */
export const blocksReadiness = (state: ObjectState): boolean =>
  state === 'Progressing' || state === 'Failed' || state === 'Terminating' || state === 'Missing';
