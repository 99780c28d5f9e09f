import { type Spec, type Workload } from '../../api';
import { formatIndexes, type KubernetesObject } from '../../expand';
import { statusNumber } from '../observed/child-status';
import { newestPods } from '../report/newest-pods';
import { runReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { indexCount, parseIndexes } from '../run/index-ranges';
import { type JobProgress } from '../run/job-progress';
import { jobFailed, jobResult, jobsPerMember } from '../run/job-result';
import { failed, succeeded, type RunResult } from '../run/run-result';
import { type RunKindController, type RunState } from './kind-controller';

type JobSetSpec = Spec<'PinterestJobSet'>;
type FinishedJob = NonNullable<JobProgress['finished']>;

/** Key of the shards in the record of a run. */
const shardsKey = 'shards';

/** Controller behavior of PinterestJobSet. */
export const pinterestJobSetController: RunKindController<'PinterestJobSet'> = {
  revisionKinds: ['Job'],
  statusFields: (state) => ({ shards: shardCounts(state) }),
  readiness: (state, open) => runReadiness(state, open, hasBegun),
  retainedObjects: retainedClaims,
  run: {
    indexSpans: (_, { member, indexed, count }) => [
      { key: shardsKey, from: 0, as: indexed ? 0 : Number(member ?? 0), count },
    ],
    result: jobSetResult,
    maxRestarts: ({ spec }) => spec.failurePolicy.maxRestarts,
    maxActiveJobs: ({ spec }, jobs) => (jobsPerMember(jobs) ? (spec.parallelism ?? spec.shards) : jobs.length),
    podsToDelete: () => [],
    outlivesSuccess: () => false,
  },
};

function shardCounts({ input: { observed, record }, statuses }: WorkloadState) {
  const active = statuses
    .filter(({ object }) => object.kind === 'Job')
    .map(({ object }) => observed.child('Job', object.metadata.name))
    .reduce((sum, child) => sum + (child ? statusNumber(child.status, 'active') : 0), 0);
  return { active, succeeded: indexCount(record?.succeeded), failed: indexCount(record?.failed) };
}

/** Returns whether the first shard has started; it alone is present during the whole run. */
function hasBegun({ input: { desired, observed, pods, record } }: WorkloadState): boolean {
  const over = Object.values({ ...record?.succeeded, ...record?.failed }).some((set) => set !== '');
  return over || newestPods(desired, observed, pods).some(({ ready, phase }) => ready || phase === 'Succeeded');
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
  if (only && !jobsPerMember(jobs)) return jobResult(only, record, now);
  return state.outdated ? outdatedResult(state) : shardsResult(state);
}

/** Returns the result of a run whose spec has changed: only its Jobs know the policies that they were created with. */
function outdatedResult({ jobs, now }: RunState): RunResult | undefined {
  const ends = jobs.map(({ progress }) => progress?.finished);
  if (ends.some((over) => over === undefined)) return undefined;
  const at = Math.max(0, ...ends.map((over) => over?.at ?? 0)) || now;
  return failed(at, 'Superseded', 'all started shards have ended, and the spec now describes other work');
}

/**
 * Evaluates finished shards in the order in which they finished, so that a restarted controller gets the same result.
 */
function shardsResult({ workload: { spec }, jobs, record, now }: RunState<'PinterestJobSet'>): RunResult | undefined {
  const done = parseIndexes(record.succeeded[shardsKey]);
  const broken = parseIndexes(record.failed[shardsKey]);
  const ends = jobs
    .flatMap(({ name, spans, progress }) =>
      progress?.finished ? [{ name, index: spans[0]?.as ?? 0, over: progress.finished }] : [],
    )
    .sort((a, b) => a.over.at - b.over.at || rankOf(a.over) - rankOf(b.over) || a.index - b.index);
  for (const { name, index, over } of ends) {
    (over.outcome === 'Succeeded' ? done : broken).add(index);
    const result = resultAt(spec, { done, broken, name, over });
    if (result) return result;
  }
  return ends.length === 0 ? resultAt(spec, { done, broken, name: '', over: recordedEnd(now) }) : undefined;
}

/** Sorts failures first, like the Job controller does for the indexes of one Job. */
const rankOf = ({ outcome }: FinishedJob): number => (outcome === 'Failed' ? 0 : 1);
const recordedEnd = (at: number): FinishedJob => ({ outcome: 'Succeeded', at, reason: '', message: '' });

/** State of the shards when a Job finished. */
interface ShardsAt {
  readonly done: ReadonlySet<number>;
  readonly broken: ReadonlySet<number>;
  readonly name: string;
  readonly over: FinishedJob;
}

function resultAt(spec: JobSetSpec, { done, broken, name, over }: ShardsAt): RunResult | undefined {
  const shards = `shards ${formatIndexes(broken)}`;
  if (over.outcome === 'Failed' && (over.reason === 'DeadlineExceeded' || failsAll(spec, over)))
    return jobFailed(name, over);
  const { maxFailedShards } = spec.failurePolicy;
  if (maxFailedShards !== undefined && broken.size > maxFailedShards)
    return failed(over.at, 'MaxFailedShardsExceeded', `${shards} failed, more than maxFailedShards allows`, true);
  if (isEnough(spec, done)) return succeeded(over.at, `${done.size} of ${spec.shards} shards succeeded`);
  if (done.size + broken.size < spec.shards) return undefined;
  return failed(over.at, 'FailedShards', `${shards} failed`, true);
}

/**
 * Returns whether the failure of one shard's Job fails all shards.
 *
 * A Job without indexes has no FailIndex, so that FailJob stands for the shard; its message names the rule, and the rule
 * of the spec has the intended action.
 */
function failsAll({ podFailurePolicy }: JobSetSpec, { reason, message }: FinishedJob): boolean {
  if (reason !== 'PodFailurePolicy') return false;
  const index = /rule at index (\d+)/.exec(message)?.[1];
  if (index !== undefined) return podFailurePolicy?.rules[Number(index)]?.action === 'FailJob';
  const ends = (podFailurePolicy?.rules ?? []).filter(({ action }) => action === 'FailJob' || action === 'FailIndex');
  return ends.length > 0 && ends.every(({ action }) => action === 'FailJob');
}

/** Returns whether the succeeded shards fulfill the success policy. */
function isEnough({ shards, successPolicy }: JobSetSpec, done: ReadonlySet<number>): boolean {
  const deciding = successPolicy?.shards && new Set(successPolicy.shards);
  const needed = successPolicy?.count ?? deciding?.size ?? shards;
  const counted = deciding ? [...done].filter((index) => deciding.has(index)).length : done.size;
  return counted >= needed;
}
