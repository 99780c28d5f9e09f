import { type KubernetesObject } from '../../expand';
import { jobOfAttempt, unchangedObject } from './job-of-attempt';
import { belongsTo, type LiveJob } from './attempt';
import { type Child } from '../observed/child';
import { runPolicyOf } from '../kinds/kind-controllers';
import { type RunInput, type RunRecord } from './run-plan';
import { hasFinished, type ReplicatedJob } from './replicated-job';

/** Input of the desired objects of a run. */
export interface AssemblyInput {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  /** All existing Jobs, including those of earlier attempts. */
  readonly jobs: readonly LiveJob[];
  /** Record of the attempt that the Jobs belong to. */
  readonly attemptRecord: RunRecord;
  /** Target record of the objects. */
  readonly record: RunRecord;
  /** Whether the spec has changed since the run started. */
  readonly outdated: boolean;
  /** Whether the gang is waiting, so no member may run. */
  readonly isHeld: boolean;
}

/** Desired objects for a record, and the names of those that stay unchanged. */
export interface AssembledJobs {
  readonly objects: readonly KubernetesObject[];
  readonly untouched: ReadonlySet<string>;
}

/** Returns the desired objects of a run: Jobs that run or are suspended; Jobs that must not exist are omitted. */
export function assembleJobs(assembly: AssemblyInput): AssembledJobs {
  if (assembly.outdated) return assembleOutdated(assembly);
  const { input, replicatedJobs, record, attemptRecord, isHeld } = assembly;
  const { desired, observed } = input;
  const isFinished = record.outcome !== undefined;
  const byName = new Map(replicatedJobs.map((replicatedJob) => [replicatedJob.name, replicatedJob]));
  const running = runnableJobs(assembly);
  const continues = record.run === attemptRecord.run && record.restarts === attemptRecord.restarts;
  const blocked = isBlocked(assembly);
  const objects = desired.flatMap((object) => {
    const replicatedJob = object.kind === 'Job' ? byName.get(object.metadata.name) : undefined;
    // Nothing is recreated after the run has finished.
    if (!replicatedJob) return isFinished && !observed.child(object.kind, object.metadata.name) ? [] : [object];
    const exists = replicatedJob.child ? continues : !isFinished && !blocked && running.has(replicatedJob.name);
    return exists ? [jobOfAttempt(replicatedJob, record, isHeld || !mayRun(assembly, running, replicatedJob))] : [];
  });
  const retained = isFinished || !replicatedJobs.some(({ progress }) => progress?.hasStarted) ? [] : stillUsed(input);
  return {
    objects: [...objects, ...retained.map(unchangedObject)],
    untouched: new Set(retained.map(({ kind, name }) => `${kind}/${name}`)),
  };
}

/** Keeps all objects unchanged, except that Jobs are suspended or resumed: the spec has changed since the run started. */
function assembleOutdated(assembly: AssemblyInput): AssembledJobs {
  const { input, replicatedJobs, isHeld } = assembly;
  const names = new Set(replicatedJobs.map(({ name }) => name));
  const jobs = replicatedJobs.map((replicatedJob) => {
    const spec = replicatedJob.object['spec'] as { readonly suspend?: boolean };
    const isSuspended = isHeld || !mayRun(assembly, names, replicatedJob);
    const isUpToDate =
      (spec.suspend ?? false) === isSuspended ||
      replicatedJob.progress?.finished !== undefined ||
      replicatedJob.progress?.terminating;
    return isUpToDate
      ? { object: replicatedJob.object, changed: false }
      : { object: { ...replicatedJob.object, spec: { ...spec, suspend: isSuspended } }, changed: true };
  });
  const others = input.observed.owned.filter(({ kind }) => kind !== 'Job').map(unchangedObject);
  const kept = [...others, ...jobs.filter(({ changed }) => !changed).map(({ object }) => object)];
  return {
    objects: [...others, ...jobs.map(({ object }) => object)],
    untouched: new Set(kept.map(({ kind, metadata }) => `${kind}/${metadata.name}`)),
  };
}

/** Returns whether the pods of a Job may run now; after the run has finished, only those of members that are kept. */
function mayRun({ input, record }: AssemblyInput, running: ReadonlySet<string>, { name }: ReplicatedJob): boolean {
  const { workload } = input;
  if (workload.spec.suspend) return false;
  if (record.outcome === undefined) return running.has(name);
  return record.outcome === 'Succeeded' && runPolicyOf(workload.kind).outlivesSuccess(workload);
}

/**
 * Returns the names of the unfinished Jobs that may run at the same time: running ones first, even beyond a lowered
 * limit, then existing ones, then by index.
 */
function runnableJobs({ input, replicatedJobs, record }: AssemblyInput): Set<string> {
  const { workload } = input;
  const policy = runPolicyOf(workload.kind);
  const mayStart = policy.mayStart?.(workload, { jobs: replicatedJobs, record }) ?? (() => true);
  const waiting = replicatedJobs
    .filter((replicatedJob) =>
      replicatedJob.progress ? !replicatedJob.progress.finished : !hasFinished(replicatedJob, record),
    )
    .map((replicatedJob) => ({
      replicatedJob,
      rank: startRank(replicatedJob),
      index: replicatedJob.spans[0]?.recordFrom ?? 0,
    }))
    // A running Job continues, even if a Job that it waited for is not ready any more.
    .filter(({ replicatedJob, rank }) => rank === 0 || mayStart(replicatedJob))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const maxActive = policy.maxActiveJobs(workload, replicatedJobs);
  const runningCount = waiting.filter(({ rank }) => rank === 0).length;
  return new Set(waiting.slice(0, Math.max(maxActive, runningCount)).map(({ replicatedJob }) => replicatedJob.name));
}

const startRank = ({ progress }: ReplicatedJob): number => (progress ? (progress.suspended ? 1 : 0) : 2);

/** Returns whether Jobs of earlier attempts, or pods without a Job, must be deleted before a Job is created. */
function isBlocked({ input, jobs, record }: AssemblyInput): boolean {
  const uids = new Set(jobs.map(({ child }) => child.uid));
  return (
    jobs.some((job) => !belongsTo(job, record)) ||
    input.pods.some(
      ({ controller, phase }) =>
        controller?.kind === 'Job' && phase !== 'Succeeded' && phase !== 'Failed' && !uids.has(controller.uid),
    )
  );
}

const usedByPods: ReadonlySet<string> = new Set(['ConfigMap', 'PersistentVolumeClaim', 'ServiceAccount', 'PodGroup']);

/** Returns objects that are no longer desired but that pods of running Jobs may still use. */
function stillUsed({ desired, observed }: RunInput): Child[] {
  const desiredNames = new Set(desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  return observed.owned.filter(
    ({ kind, name, deleting }) => usedByPods.has(kind) && !deleting && !desiredNames.has(`${kind}/${name}`),
  );
}
