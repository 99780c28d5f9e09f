import { trueCondition, type Condition } from '../../api';
import { type Child } from '../observed/child';
import { parseIndexes } from './index-ranges';

/** Progress of a Job. */
export interface JobProgress {
  /** Set once the Job has finished and its pods are deleted. */
  readonly finished?: {
    readonly outcome: 'Succeeded' | 'Failed';
    readonly at: number;
    readonly reason: string;
    readonly message: string;
  };
  /** Whether its outcome is decided and its pods are terminating. */
  readonly terminating: boolean;
  /** Whether the Job controller has observed that it is suspended. */
  readonly suspended: boolean;
  /** Start time in milliseconds since 1970. */
  readonly started?: number;
  /** Whether it ever created a pod. */
  readonly hasStarted: boolean;
  /** Number of ready pods. */
  readonly ready: number;
  readonly succeeded: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
}

interface JobStatus {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly ready?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
}

/** Returns the progress of a live Job. */
export function computeJobProgress({ status }: Child): JobProgress {
  const job = status as JobStatus;
  const isTrue = (type: string) => trueCondition(job, type);
  const suspended = isTrue('Suspended') !== undefined;
  const started = suspended ? undefined : timeOf(job.startTime);
  const finished = finishedOf(job, isTrue('Complete'), isTrue('Failed'));
  return {
    ...(finished && { finished }),
    terminating: isTrue('SuccessCriteriaMet') !== undefined || isTrue('FailureTarget') !== undefined,
    suspended,
    ...(started !== undefined && { started }),
    hasStarted: started !== undefined || [job.active, job.succeeded, job.failed].some((count) => (count ?? 0) > 0),
    ready: job.ready ?? 0,
    succeeded: parseIndexes(job.completedIndexes),
    failed: parseIndexes(job.failedIndexes),
  };
}

function finishedOf(
  job: JobStatus,
  complete: Condition | undefined,
  failed: Condition | undefined,
): JobProgress['finished'] {
  const condition = complete ?? failed;
  if (!condition) return undefined;
  const at = timeOf(complete && job.completionTime) ?? timeOf(condition.lastTransitionTime) ?? 0;
  const { reason = '', message = '' } = condition;
  return { outcome: complete ? 'Succeeded' : 'Failed', at, reason, message };
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
