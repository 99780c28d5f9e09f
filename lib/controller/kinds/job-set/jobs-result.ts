import { type Spec } from '../../../api';
import { jobFailed, lostJobResult } from '../../run/job-result';
import { type ReplicatedJob } from '../../run/replicated-job';
import { failed, succeeded, type RunResult } from '../../run/run-result';
import { type RunState } from '../kind-controller';
import { hasSucceeded, jobsOfSet, recordedShards, replicasOf } from './replica-states';

type JobSetSpec = Spec<'PinterestJobSet'>;
type FailureRule = NonNullable<JobSetSpec['failurePolicy']['rules']>[number];

/** End of a replica of a job. */
interface ReplicaEnd {
  readonly job: string;
  readonly replica: number;
  readonly result: RunResult;
}

/** Returns the job and the replica of a Job. */
export function replicaOf({ spans: [span], count }: ReplicatedJob): { readonly job: string; readonly replica: number } {
  return { job: span?.key ?? '', replica: (span?.recordFrom ?? 0) / count };
}

/**
 * Returns the result of a set with several jobs: its Jobs are evaluated in the order in which they ended, so that a
 * restarted controller gets the same result.
 */
export function jobsResult(state: RunState<'PinterestJobSet'>): RunResult | undefined {
  const { workload, outdated } = state;
  const ends = endsOf(state);
  const succeededReplicas = new Set(recordedReplicas(state));
  const initial = ends.length === 0 ? successAt(workload.spec, succeededReplicas, state.now) : undefined;
  if (initial) return initial;
  for (const { job, replica, result } of ends) {
    if (result.outcome === 'Failed') return failureOf(workload.spec, ends, result.at);
    succeededReplicas.add(keyOf(job, replica));
    const success = successAt(workload.spec, succeededReplicas, result.at);
    if (success) return success;
  }
  return outdated ? outdatedResult(state, ends) : undefined;
}

/**
 * Returns the end of a run whose spec has changed, so that it does not start more Jobs: once each of its Jobs has
 * ended, or is awaited by Jobs that never start. Such a Job has not been ready for them, and may wait for them forever.
 */
function outdatedResult({ jobs, record, now }: RunState, ends: readonly ReplicaEnd[]): RunResult | undefined {
  const ended = new Set(ends.map(({ job, replica }) => keyOf(job, replica)));
  const open = jobs.filter((job) => !ended.has(keyOfJob(job)));
  if (open.some((job) => !record.awaited?.includes(replicaOf(job).job))) return undefined;
  if (open.length === 0)
    return failed(
      ends.at(-1)?.result.at ?? now,
      'Superseded',
      'all started Jobs have finished, and the spec has changed since',
    );
  const names = open.map(({ name }) => name).join(', ');
  return failed(
    now,
    'Superseded',
    `the spec has changed, so that the Jobs that wait for ${names} do not start any more`,
  );
}

const keyOf = (job: string, replica: number): string => `${job}/${replica}`;

/** Returns the ends of the Jobs in the order in which they ended; failures first, like in the Job controller. */
function endsOf(state: RunState<'PinterestJobSet'>): readonly ReplicaEnd[] {
  const order = jobsOfSet(state.workload.spec).map(({ name }) => name);
  return state.jobs
    .flatMap((job) => {
      const result = endOf(job, state);
      return result ? [{ ...replicaOf(job), result }] : [];
    })
    .sort(
      (a, b) =>
        a.result.at - b.result.at ||
        Number(a.result.outcome === 'Succeeded') - Number(b.result.outcome === 'Succeeded') ||
        order.indexOf(a.job) - order.indexOf(b.job) ||
        a.replica - b.replica,
    );
}

function endOf(job: ReplicatedJob, { workload, record, now }: RunState<'PinterestJobSet'>): RunResult | undefined {
  const finished = job.progress?.finished;
  if (finished?.outcome === 'Succeeded') return succeeded(finished.at, `Job ${job.name} succeeded`);
  if (finished) {
    const isFinal = finished.reason === 'DeadlineExceeded' && isDeadlineOfSet(workload.spec, replicaOf(job).job);
    return { ...jobFailed(job.name, finished), repeatable: !isFinal };
  }
  if (job.progress) return undefined;
  const lost = lostJobResult(job, record, now);
  // A deleted Job that had succeeded is in the record already.
  return lost?.outcome === 'Failed' ? lost : undefined;
}

/** Returns whether the deadline of a Job is that of the whole set, after which a restart would be pointless. */
function isDeadlineOfSet({ replicatedJobs = [], activeDeadline }: JobSetSpec, name: string): boolean {
  return activeDeadline !== undefined && replicatedJobs.find((job) => job.name === name)?.activeDeadline === undefined;
}

/** Returns the replicas that had succeeded before their Jobs were deleted. */
const recordedReplicas = ({ workload, jobs, record }: RunState<'PinterestJobSet'>): string[] => {
  const deletedJobs = new Set(jobs.filter(({ progress }) => !progress).map((job) => keyOfJob(job)));
  return jobsOfSet(workload.spec).flatMap((job) => {
    const recorded = recordedShards(job, record);
    return replicasOf(job).flatMap((replica) => {
      const key = keyOf(job.name, replica);
      return deletedJobs.has(key) && hasSucceeded(job, replica, undefined, recorded) ? [key] : [];
    });
  });
};

const keyOfJob = (job: ReplicatedJob): string => keyOf(replicaOf(job).job, replicaOf(job).replica);

/** Returns the success of a set once the Jobs of its success policy have succeeded. */
function successAt(spec: JobSetSpec, succeededReplicas: ReadonlySet<string>, at: number): RunResult | undefined {
  const { operator = 'All', jobs: names } = spec.successPolicy ?? {};
  const required = jobsOfSet(spec)
    .filter(({ name }) => names?.includes(name) ?? true)
    .flatMap((job) => replicasOf(job).map((replica) => keyOf(job.name, replica)));
  const count = required.filter((key) => succeededReplicas.has(key)).length;
  if (operator === 'Any' ? count === 0 : count < required.length) return undefined;
  const of = names ? ` of ${names.join(', ')}` : '';
  return succeeded(at, `${count} of ${required.length} Jobs${of} succeeded`);
}

/** Returns the failure of a set because of the Jobs that failed at one time, by the first rule that matches one of them. */
function failureOf(spec: JobSetSpec, ends: readonly ReplicaEnd[], at: number): RunResult {
  const failures = ends.filter(({ result }) => result.outcome === 'Failed' && result.at === at);
  const rules = spec.failurePolicy.rules ?? [];
  for (const [index, rule] of rules.entries()) {
    const match = failures.find((failure) => matches(rule, failure));
    if (match) return withAction(match, rule, index);
  }
  return (failures[0] as ReplicaEnd).result;
}

const matches = ({ jobs, reasons }: FailureRule, { job, result }: ReplicaEnd): boolean =>
  (jobs?.includes(job) ?? true) && (reasons?.some((reason) => reason === result.reason) ?? true);

function withAction({ result }: ReplicaEnd, { action }: FailureRule, index: number): RunResult {
  return {
    ...result,
    message: `${result.message} (${action} by rule ${index} of failurePolicy)`,
    repeatable: result.repeatable && action !== 'FailJobSet',
    ...(action === 'RestartJobSetAndIgnoreMaxRestarts' && { ignoresMaxRestarts: true }),
  };
}
