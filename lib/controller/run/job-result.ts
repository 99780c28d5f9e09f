import { formatIndexes } from '../../expand';
import { type JobProgress } from './job-progress';
import { indexesOf, type ReplicatedJob } from './replicated-job';
import { type RunRecord } from './run-plan';
import { failed, succeeded, type RunResult } from './run-result';

/** Returns whether every member has its own Job, instead of an index of one Job. */
export const jobsPerMember = (jobs: readonly ReplicatedJob[]): boolean =>
  jobs.some(({ object }) => (object['spec'] as { completionMode?: string }).completionMode !== 'Indexed');

/** Returns the result of a run of one Job; undefined while it runs. */
export function jobResult(job: ReplicatedJob, record: RunRecord, now: number): RunResult | undefined {
  const finished = job.progress?.finished;
  if (finished?.outcome === 'Succeeded') return succeeded(finished.at, `Job ${job.name} succeeded`);
  if (finished) return jobFailed(job.name, finished);
  return job.progress ? undefined : lostJobResult(job, record, now);
}

/** Returns whether a restart of the run would not help: a pod failure policy decided, or the deadline is exceeded. */
const isPermanentFailure = (reason: string): boolean => reason === 'PodFailurePolicy' || reason === 'DeadlineExceeded';

/** Returns the failure of a run because of one Job. */
export const jobFailed = (name: string, { at, reason, message }: NonNullable<JobProgress['finished']>): RunResult => ({
  ...failed(at, 'JobFailed', `Job ${name} failed: ${message || reason}`, !isPermanentFailure(reason)),
  ...(reason !== '' && { reason }),
});

/** Returns the result of a Job that was deleted, from the finished indexes of the record. */
export function lostJobResult(job: ReplicatedJob, record: RunRecord, now: number): RunResult | undefined {
  const succeededIndexes = indexesOf(job, record, 'succeeded');
  const failedIndexes = indexesOf(job, record, 'failed');
  if (succeededIndexes.size + failedIndexes.size === 0) return undefined;
  if (succeededIndexes.size === job.count) return succeeded(now, `all indexes of Job ${job.name} succeeded`);
  const finishedIndexes = formatIndexes([...succeededIndexes, ...failedIndexes]);
  return failed(
    now,
    'JobDeleted',
    `Job ${job.name} was deleted while its indexes ${finishedIndexes} of ${job.count} were finished, and a Job cannot skip them; change or recreate the workload to run all of them`,
    true,
  );
}
