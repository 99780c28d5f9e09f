import { replicaName } from '../../../expand';
import { statusNumber } from '../../observed/child-status';
import { type WorkloadState } from '../../report/workload-state';
import { computeJobProgress } from '../../run/job-progress';
import { type RunRecord } from '../../run/run-plan';
import {
  hasSucceeded,
  isReplicaReady,
  jobsOfSet,
  recordedShards,
  unmetDependencies,
  type JobOfSet,
  type ProgressOf,
} from './replica-states';

type JobSetState = WorkloadState<'PinterestJobSet'>;

const emptyRecord: RunRecord = { restarts: 0, succeeded: {}, failed: {} };

/** Returns the existing Job of a replica that is not being deleted. */
const childOf = ({ workload, input: { observed } }: JobSetState, job: string, replica: number) => {
  const child = observed.child('Job', replicaName(workload, job, replica));
  return child?.deleting ? undefined : child;
};

/** Returns the number of Jobs by job and state; undefined for a set with one template. */
export function jobCounts(state: JobSetState) {
  const { spec } = state.workload;
  if (!spec.replicatedJobs) return undefined;
  return Object.fromEntries(jobsOfSet(spec).map((job) => [job.name, countsOf(state, job)]));
}

function countsOf(state: JobSetState, job: JobOfSet) {
  const recorded = recordedShards(job, state.input.record ?? emptyRecord);
  const counts = { ready: 0, active: 0, succeeded: 0, failed: 0 };
  for (let replica = 0; replica < job.replicas; replica++) {
    const child = childOf(state, job.name, replica);
    const progress = child && computeJobProgress(child);
    if (hasSucceeded(job, replica, progress, recorded)) counts.succeeded += 1;
    else if (progress?.finished) counts.failed += 1;
    else if (child && statusNumber(child.status, 'active') > 0) counts.active += 1;
    if (isReplicaReady(job, progress)) counts.ready += 1;
  }
  return counts;
}

/** Returns the jobs that have not started and what they wait for, such as `workers for driver (Ready)`. */
export function waitingJobs(state: JobSetState): readonly string[] {
  const { spec } = state.workload;
  const record = state.input.record ?? emptyRecord;
  const progressOf: ProgressOf = (job, replica) => {
    const child = childOf(state, job, replica);
    return child && computeJobProgress(child);
  };
  return jobsOfSet(spec).flatMap(({ name }) => {
    const unmet = progressOf(name, 0) ? [] : unmetDependencies(spec, name, progressOf, record);
    return unmet.length === 0
      ? []
      : [`${name} for ${unmet.map((other) => `${other.name} (${other.status})`).join(', ')}`];
  });
}
