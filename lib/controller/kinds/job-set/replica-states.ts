import { type Spec } from '../../../api';
import { parseIndexes } from '../../run/index-ranges';
import { type JobProgress } from '../../run/job-progress';
import { type RunRecord } from '../../run/run-plan';

type JobSetSpec = Spec<'PinterestJobSet'>;

/** Entry of `replicatedJobs`. */
export type JobOfSet = NonNullable<JobSetSpec['replicatedJobs']>[number];

/** Returns the progress of a replica of a job in this attempt; undefined without a Job. */
export type ProgressOf = (job: string, replica: number) => JobProgress | undefined;

/** Returns the jobs of a set; empty if it has one template. */
export const jobsOfSet = ({ replicatedJobs = [] }: JobSetSpec): readonly JobOfSet[] => replicatedJobs;

/** Returns the indexes of the replicas of a job. */
export const replicasOf = ({ replicas }: JobOfSet): readonly number[] =>
  Array.from({ length: replicas }, (_, replica) => replica);

/** Returns the number of all shards of a set. */
export const shardTotal = (spec: JobSetSpec): number =>
  spec.replicatedJobs
    ? spec.replicatedJobs.reduce((sum, { replicas, shards }) => sum + replicas * shards, 0)
    : spec.shards;

/** Returns whether a replica has succeeded: by its Job, or by the record if its Job was deleted. */
export function hasSucceeded(
  { shards }: JobOfSet,
  replica: number,
  progress: JobProgress | undefined,
  recorded: ReadonlySet<number>,
): boolean {
  if (progress) return progress.finished?.outcome === 'Succeeded';
  return (
    recorded.size > 0 &&
    Array.from({ length: shards }, (_, shard) => replica * shards + shard).every((index) => recorded.has(index))
  );
}

/** Returns the shards of a job that have succeeded, from the record. */
export const recordedShards = ({ name }: JobOfSet, record: RunRecord): ReadonlySet<number> =>
  parseIndexes(record.succeeded[name]);

/** Returns whether all pods of a running Job are ready or have succeeded. */
export function isReplicaReady({ shards, parallelism = shards }: JobOfSet, progress: JobProgress | undefined): boolean {
  if (!progress || progress.finished || progress.suspended) return false;
  return progress.ready + progress.succeeded.size >= Math.min(parallelism, shards);
}

/** Returns the dependencies that a job still waits for. */
export function unmetDependencies(
  spec: JobSetSpec,
  name: string,
  progressOf: ProgressOf,
  record: RunRecord,
): NonNullable<JobOfSet['dependsOn']> {
  const jobs = jobsOfSet(spec);
  const dependsOn = jobs.find((job) => job.name === name)?.dependsOn ?? [];
  return dependsOn.filter((dependency) => {
    const job = jobs.find((other) => other.name === dependency.name);
    return !job || !isMet(job, dependency.status, progressOf, record);
  });
}

function isMet(job: JobOfSet, status: 'Ready' | 'Complete', progressOf: ProgressOf, record: RunRecord): boolean {
  const recorded = recordedShards(job, record);
  return replicasOf(job).every((replica) => {
    const progress = progressOf(job.name, replica);
    return hasSucceeded(job, replica, progress, recorded) || (status === 'Ready' && isReplicaReady(job, progress));
  });
}

/** Returns the jobs that must be ready before others start, of which a Job has not started. */
export function awaitedJobs(spec: JobSetSpec, progressOf: ProgressOf, record: RunRecord): readonly string[] {
  const jobs = jobsOfSet(spec);
  const awaited = new Set(
    jobs
      .filter((job) => {
        const recorded = recordedShards(job, record);
        return replicasOf(job).some((replica) => {
          const progress = progressOf(job.name, replica);
          return !progress && !hasSucceeded(job, replica, progress, recorded);
        });
      })
      .flatMap(({ dependsOn = [] }) => dependsOn.filter(({ status }) => status === 'Ready').map(({ name }) => name)),
  );
  return jobs.map(({ name }) => name).filter((name) => awaited.has(name));
}
