import { type ConditionReason } from '../reasons';

/**
 * How an object stands, in one word.
 *
 * `Ready`, `Running`, `Succeeded`, `Suspended`, `Pending` and `Resizing` are as wanted so far: a claim may be `Pending`
 * until a pod needs it, and a Job that has not begun is judged by its workload.
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

/** Pods of an object that has some. */
export interface PodCounts {
  readonly wanted: number;
  readonly there: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
}

/** How an object stands. */
export interface ObjectStatus {
  readonly state: ObjectState;
  /** Reason, where the state does not imply one. @default - its rollout is in progress */
  readonly reason?: ConditionReason;
  readonly message?: string;
  readonly counts?: PodCounts;
}

/** Whether a state keeps its workload from being ready. */
export const blocksReadiness = (state: ObjectState): boolean =>
  state === 'Progressing' || state === 'Failed' || state === 'Terminating' || state === 'Missing';
