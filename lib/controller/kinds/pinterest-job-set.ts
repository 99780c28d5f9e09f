import { type Spec, type Workload } from '../../api';
import { formatIndexes, replicaOfMember, type KubernetesObject } from '../../expand';
import { statusNumber } from '../observed/child-status';
import { newestPods } from '../report/newest-pods';
import { runReadiness, type OpenWork, type WorkloadReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { indexCount, parseIndexes } from '../run/index-ranges';
import { type JobProgress } from '../run/job-progress';
import { jobFailed, jobResult, jobsPerMember } from '../run/job-result';
import { type IndexSpan, type JobMembers, type ReplicatedJob } from '../run/replicated-job';
import { failed, succeeded, type RunResult } from '../run/run-result';
import { jobCounts, waitingJobs } from './job-set/job-counts';
import { jobsResult, replicaOf } from './job-set/jobs-result';
import { awaitedJobs, shardTotal, unmetDependencies, type ProgressOf } from './job-set/replica-states';
import { type RunKindController, type RunState, type StartState } from './kind-controller';

type JobSetSpec = Spec<'PinterestJobSet'>;
type JobSetState = WorkloadState<'PinterestJobSet'>;
type FinishedJob = NonNullable<JobProgress['finished']>;

/** Key of the shards in the record of a run. */
const shardsKey = 'shards';

/** Controller behavior of PinterestJobSet. */
export const pinterestJobSetController: RunKindController<'PinterestJobSet'> = {
  revisionKinds: ['Job'],
  statusFields: (state) => {
    const jobs = jobCounts(state);
    return { shards: shardCounts(state), ...(jobs && { jobs }) };
  },
  readiness,
  retainedObjects: retainedClaims,
  run: {
    indexSpans: (_, members) => [{ from: 0, count: members.count, ...recordedPlace(members) }],
    result: (state) => (state.workload.spec.replicatedJobs ? jobsResult(state) : jobSetResult(state)),
    maxRestarts: ({ spec }) => spec.failurePolicy.maxRestarts,
    mayStart: ({ spec }, state) => startOrder(spec, state),
    awaited: ({ spec }, state) => awaitedJobs(spec, progressIn(state), state.record),
    maxActiveJobs: ({ spec }, jobs) => (jobsPerMember(jobs) ? (spec.parallelism ?? spec.shards) : jobs.length),
    podsToDelete: () => [],
    outlivesSuccess: () => false,
  },
};

/** Returns the place of a Job in the record: among the shards, or in the job that it is a replica of. */
function recordedPlace({ member, indexed, count }: JobMembers): Omit<IndexSpan, 'from' | 'count'> {
  if (member === undefined || !indexed) return { key: shardsKey, recordFrom: Number(member ?? 0) };
  const { job, replica } = replicaOfMember(member);
  return { key: job, recordFrom: replica * count, succeedsAsWhole: true };
}

/** Returns the test whether the Jobs that a Job waits for are ready or complete. */
function startOrder(spec: JobSetSpec, state: StartState): (job: ReplicatedJob) => boolean {
  if (!spec.replicatedJobs) return () => true;
  const progressOf = progressIn(state);
  const waiting = new Set(
    spec.replicatedJobs
      .filter(({ name }) => unmetDependencies(spec, name, progressOf, state.record).length > 0)
      .map(({ name }) => name),
  );
  return (job) => !waiting.has(replicaOf(job).job);
}

function progressIn({ jobs }: StartState): ProgressOf {
  const byReplica = new Map(jobs.map((job) => [`${replicaOf(job).job}/${replicaOf(job).replica}`, job.progress]));
  return (name, replica) => byReplica.get(`${name}/${replica}`);
}

/** Returns the readiness of a run; while jobs wait for others, the message names them. */
function readiness(state: JobSetState, open: OpenWork | undefined): WorkloadReadiness {
  const result = runReadiness(state, open, hasStarted);
  const waiting = result.reason === 'Running' || result.reason === 'Starting' ? waitingJobs(state) : [];
  return waiting.length === 0 ? result : { ...result, message: `${result.message} Waiting: ${waiting.join('; ')}.` };
}

function shardCounts({ workload, input: { observed, record }, statuses }: JobSetState) {
  const active = statuses
    .filter(({ object }) => object.kind === 'Job')
    .map(({ object }) => observed.child('Job', object.metadata.name))
    .reduce((sum, child) => sum + (child ? statusNumber(child.status, 'active') : 0), 0);
  return {
    total: shardTotal(workload.spec),
    active,
    succeeded: indexCount(record?.succeeded),
    failed: indexCount(record?.failed),
  };
}

/** Returns whether a shard has started or finished. */
function hasStarted({ input: { desired, observed, pods, record } }: WorkloadState): boolean {
  const finished = Object.values({ ...record?.succeeded, ...record?.failed }).some((set) => set !== '');
  return finished || newestPods(desired, observed, pods).some(({ ready, phase }) => ready || phase === 'Succeeded');
}

/** Returns the claims that outlive the job set. */
function retainedClaims(
  { spec }: Workload<'PinterestJobSet'>,
  objects: readonly KubernetesObject[],
): ReadonlySet<string> {
  return new Set(
    spec.claimRetention === 'Retain'
      ? objects
          .filter(({ kind }) => kind === 'PersistentVolumeClaim')
          .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      : [],
  );
}

/**
 * Returns the result of a job set: one Indexed Job reports it itself; with one Job per shard, the policies of the spec
 * decide.
 */
function jobSetResult(state: RunState<'PinterestJobSet'>): RunResult | undefined {
  const { jobs, record, now } = state;
  const [only] = jobs;
  // Several Indexed Jobs are those of an earlier spec with several jobs.
  if (only && jobs.length === 1 && !jobsPerMember(jobs)) return jobResult(only, record, now);
  return state.outdated ? outdatedResult(state) : shardsResult(state);
}

/** Returns the result of a run whose spec has changed: only its Jobs have the policies that they were created with. */
function outdatedResult({ jobs, now }: RunState): RunResult | undefined {
  const finishedJobs = jobs.map(({ progress }) => progress?.finished);
  if (finishedJobs.some((finished) => finished === undefined)) return undefined;
  const at = Math.max(0, ...finishedJobs.map((finished) => finished?.at ?? 0)) || now;
  return failed(at, 'Superseded', 'all started shards have finished, and the spec has changed since');
}

/**
 * Evaluates finished shards in the order in which they finished, so that a restarted controller gets the same result.
 */
function shardsResult({ workload: { spec }, jobs, record, now }: RunState<'PinterestJobSet'>): RunResult | undefined {
  const succeededShards = parseIndexes(record.succeeded[shardsKey]);
  const failedShards = parseIndexes(record.failed[shardsKey]);
  const finishedJobs = jobs
    .flatMap(({ name, spans, progress }) =>
      progress?.finished ? [{ name, index: spans[0]?.recordFrom ?? 0, finished: progress.finished }] : [],
    )
    .sort((a, b) => a.finished.at - b.finished.at || sortRank(a.finished) - sortRank(b.finished) || a.index - b.index);
  for (const { name, index, finished } of finishedJobs) {
    (finished.outcome === 'Succeeded' ? succeededShards : failedShards).add(index);
    const result = resultAt(spec, { succeededShards, failedShards, name, finished });
    if (result) return result;
  }
  return finishedJobs.length === 0
    ? resultAt(spec, { succeededShards, failedShards, name: '', finished: recordedEnd(now) })
    : undefined;
}

/** Sorts failures first, like the Job controller does for the indexes of one Job. */
const sortRank = ({ outcome }: FinishedJob): number => (outcome === 'Failed' ? 0 : 1);
const recordedEnd = (at: number): FinishedJob => ({ outcome: 'Succeeded', at, reason: '', message: '' });

/** State of the shards when a Job finished. */
interface ShardState {
  readonly succeededShards: ReadonlySet<number>;
  readonly failedShards: ReadonlySet<number>;
  readonly name: string;
  readonly finished: FinishedJob;
}

function resultAt(
  spec: JobSetSpec,
  { succeededShards, failedShards, name, finished }: ShardState,
): RunResult | undefined {
  const shards = `shards ${formatIndexes(failedShards)}`;
  if (finished.outcome === 'Failed' && (finished.reason === 'DeadlineExceeded' || failsAll(spec, finished)))
    return jobFailed(name, finished);
  const { maxFailedShards } = spec.failurePolicy;
  if (maxFailedShards !== undefined && failedShards.size > maxFailedShards)
    return failed(finished.at, 'MaxFailedShardsExceeded', `${shards} failed, more than maxFailedShards allows`, true);
  if (meetsSuccessPolicy(spec, succeededShards))
    return succeeded(finished.at, `${succeededShards.size} of ${spec.shards} shards succeeded`);
  if (succeededShards.size + failedShards.size < spec.shards) return undefined;
  return failed(finished.at, 'FailedShards', `${shards} failed`, true);
}

/**
 * Returns whether the failure of one shard's Job fails all shards.
 *
 * A Job without indexes has no FailIndex, so FailJob represents it; its message names the rule, and the rule
 * of the spec has the intended action.
 */
function failsAll({ podFailurePolicy }: JobSetSpec, { reason, message }: FinishedJob): boolean {
  if (reason !== 'PodFailurePolicy') return false;
  const index = /rule at index (\d+)/.exec(message)?.[1];
  if (index !== undefined) return podFailurePolicy?.rules[Number(index)]?.action === 'FailJob';
  const terminatingRules = (podFailurePolicy?.rules ?? []).filter(
    ({ action }) => action === 'FailJob' || action === 'FailIndex',
  );
  return terminatingRules.length > 0 && terminatingRules.every(({ action }) => action === 'FailJob');
}

/** Returns whether the succeeded shards fulfill the success policy. */
function meetsSuccessPolicy({ shards, successPolicy }: JobSetSpec, succeededShards: ReadonlySet<number>): boolean {
  const requiredShards = successPolicy?.shards && new Set(successPolicy.shards);
  const requiredCount = successPolicy?.count ?? requiredShards?.size ?? shards;
  const succeededCount = requiredShards
    ? [...succeededShards].filter((index) => requiredShards.has(index)).length
    : succeededShards.size;
  return succeededCount >= requiredCount;
}
