import { metadataKeys, type RunKind, type Workload } from '../../api';
import { type Child, type Observed } from '../observed/child';
import { type RunRecord } from './run-plan';
import { type JobProgress, computeJobProgress } from './job-progress';
import { runHash } from './run-hash';

/** Existing Job of the workload, and its attempt. */
export interface LiveJob {
  readonly child: Child;
  readonly progress: JobProgress;
  readonly run?: string;
  readonly restarts: number;
}

/** Run in progress and its attempt. */
export interface Attempt {
  /** Record that this reconcile continues from. */
  readonly record: RunRecord & { readonly run: string };
  /** Whether a run starts that is not recorded yet. */
  readonly startsRun: boolean;
  /** Whether the spec changed during the run without consent to lose its progress: the run continues unchanged. */
  readonly outdated: boolean;
}

/** Value of the annotation on the Jobs of an attempt. */
export const attemptName = ({ run, restarts }: { readonly run?: string; readonly restarts: number }): string =>
  `${run ?? ''}-${restarts}`;

/** Returns the Jobs of a workload: those that it owns, and unowned ones with desired names if it adopts them. */
export function liveJobs({ spec }: Workload<RunKind>, observed: Observed, desiredNames: readonly string[]): LiveJob[] {
  const ownJobs = observed.owned.filter(({ kind }) => kind === 'Job');
  const unowned = spec.adopt
    ? desiredNames.flatMap((name) => {
        const child = observed.child('Job', name);
        return child && !child.controller && !ownJobs.includes(child) ? [child] : [];
      })
    : [];
  return [...ownJobs, ...unowned].map((child) => {
    const match = /^(.+)-([0-9]+)$/.exec(child.run ?? child.content().metadata.annotations?.[metadataKeys.run] ?? '');
    return {
      child,
      progress: computeJobProgress(child),
      ...(match?.[1] !== undefined && { run: match[1] }),
      restarts: Number(match?.[2] ?? 0),
    };
  });
}

/**
 * Returns whether a Job belongs to a record. A Job without the annotation was deployed natively; it is the first
 * attempt.
 */
export const belongsTo = (job: LiveJob, { run, restarts }: RunRecord): boolean =>
  (job.run === undefined || job.run === run) && job.restarts === restarts;

/**
 * Returns the current attempt, by the record and by the Jobs: the Job of an attempt is created only after its record
 * was written, so a record that is behind its Jobs is stale.
 */
export function attemptOf(workload: Workload<RunKind>, jobs: readonly LiveJob[], record: RunRecord): Attempt {
  const hash = runHash(workload);
  const current = currentRecord(record, jobs, hash);
  if (current.run === hash) {
    // The first Jobs identify their run before the record does.
    const continues = record.run === undefined && jobs.length > 0 && jobs.every((job) => belongsTo(job, current));
    return { record: current, startsRun: record.run !== hash && !continues, outdated: false };
  }
  const mayLoseProgress = workload.spec.allowLoss?.includes('Progress') ?? false;
  if (current.outcome === undefined && !mayLoseProgress && hasStarted(current, jobs))
    return { record: current, startsRun: false, outdated: true };
  return { record: newRecord(hash), startsRun: true, outdated: false };
}

const newRecord = (run: string, restarts = 0): RunRecord & { readonly run: string } => ({
  run,
  restarts,
  succeeded: {},
  failed: {},
});

function currentRecord(
  record: RunRecord,
  jobs: readonly LiveJob[],
  hash: string,
): RunRecord & { readonly run: string } {
  const runs = jobs.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const run = runs.includes(hash) ? hash : (record.run ?? runs[0] ?? hash);
  const restarts = Math.max(0, ...jobs.filter((job) => job.run === run).map((job) => job.restarts));
  if (record.run !== undefined && record.run !== run) return newRecord(run, restarts);
  if (restarts > record.restarts) return { ...newRecord(run, restarts), ...keptByRestart(record) };
  return { ...record, run };
}

/** Returns the fields of a record that a restart of its run keeps. */
const keptByRestart = ({ started, uncountedRestarts, restartCause }: RunRecord): Partial<RunRecord> => ({
  ...(started !== undefined && { started }),
  ...(uncountedRestarts !== undefined && { uncountedRestarts }),
  ...(restartCause !== undefined && { restartCause }),
});

const hasStarted = (record: RunRecord, jobs: readonly LiveJob[]): boolean =>
  record.started !== undefined ||
  Object.keys(record.succeeded).length > 0 ||
  jobs.some((job) => belongsTo(job, record) && job.progress.hasStarted);
