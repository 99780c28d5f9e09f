import { type RunInput, type RunRecord } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

/** Returns the start time of a run, RFC 3339: the first start of its Jobs, reset by a suspension as in a Job. */
export function runStartTime(
  { workload }: RunInput,
  replicatedJobs: readonly ReplicatedJob[],
  record: RunRecord,
): string | undefined {
  if (workload.spec.suspend || record.gang?.phase === 'Waiting') return undefined;
  if (record.started !== undefined) return record.started;
  const running = replicatedJobs.filter(({ progress }) => progress && !progress.finished);
  // Finished Jobs may have run before a suspension; their start counts only if no other Job has one.
  const relevant = running.length > 0 ? running : replicatedJobs;
  const starts = relevant.flatMap(({ progress }) => (progress?.started === undefined ? [] : [progress.started]));
  return starts.length === 0 ? undefined : new Date(Math.min(...starts)).toISOString();
}
