import { type KubernetesObject } from '../../expand';
import { jobOfAttempt, unchangedObject } from './job-of-attempt';
import { belongsTo, type LiveJob } from './attempt';
import { type Child } from '../observed/child';
import { runPolicyOf } from '../kinds/kind-controllers';
import { type RunInput, type RunRecord } from './run-plan';
import { isOver, type ReplicatedJob } from './replicated-job';

/** Input of the desired objects of a run. */
export interface AssemblyInput {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  /** All existing Jobs, including those of earlier attempts. */
  readonly jobs: readonly LiveJob[];
  /** Record of the attempt that the Jobs belong to. */
  readonly before: RunRecord;
  /** Target record of the objects. */
  readonly record: RunRecord;
  /** Whether the spec describes other work than the running one. */
  readonly outdated: boolean;
  /** Whether a gang waits, so that no member may run. */
  readonly held: boolean;
}

/** Desired objects for a record, and which of them stay unchanged. */
export interface AssembledJobs {
  readonly objects: readonly KubernetesObject[];
  readonly untouched: ReadonlySet<string>;
}

/** Returns the desired objects of a run: Jobs that run or are suspended; Jobs that must not exist are omitted. */
export function assembleJobs(arrangement: AssemblyInput): AssembledJobs {
  if (arrangement.outdated) return assembleOutdated(arrangement);
  const { input, replicatedJobs, record, before, held } = arrangement;
  const { desired, observed } = input;
  const over = record.outcome !== undefined;
  const byName = new Map(replicatedJobs.map((replicatedJob) => [replicatedJob.name, replicatedJob]));
  const running = runnable(arrangement);
  const continues = record.run === before.run && record.restarts === before.restarts;
  const blocked = isBlocked(arrangement);
  const objects = desired.flatMap((object) => {
    const replicatedJob = object.kind === 'Job' ? byName.get(object.metadata.name) : undefined;
    // After the end nothing is recreated, whatever disappears.
    if (!replicatedJob) return over && !observed.child(object.kind, object.metadata.name) ? [] : [object];
    const there = replicatedJob.child ? continues : !over && !blocked && running.has(replicatedJob.name);
    return there ? [jobOfAttempt(replicatedJob, record, held || !mayRun(arrangement, running, replicatedJob))] : [];
  });
  const used = over || !replicatedJobs.some(({ progress }) => progress?.begun) ? [] : stillUsed(input);
  return {
    objects: [...objects, ...used.map(unchangedObject)],
    untouched: new Set(used.map(({ kind, name }) => `${kind}/${name}`)),
  };
}

/** Keeps everything as it is, except that Jobs are suspended or resumed: the spec no longer describes their work. */
function assembleOutdated(arrangement: AssemblyInput): AssembledJobs {
  const { input, replicatedJobs, held } = arrangement;
  const names = new Set(replicatedJobs.map(({ name }) => name));
  const jobs = replicatedJobs.map((replicatedJob) => {
    const spec = replicatedJob.object['spec'] as { readonly suspend?: boolean };
    const waits = held || !mayRun(arrangement, names, replicatedJob);
    const asWanted =
      (spec.suspend ?? false) === waits ||
      replicatedJob.progress?.finished !== undefined ||
      replicatedJob.progress?.ending;
    return asWanted
      ? { object: replicatedJob.object, changed: false }
      : { object: { ...replicatedJob.object, spec: { ...spec, suspend: waits } }, changed: true };
  });
  const others = input.observed.owned.filter(({ kind }) => kind !== 'Job').map(unchangedObject);
  const kept = [...others, ...jobs.filter(({ changed }) => !changed).map(({ object }) => object)];
  return {
    objects: [...others, ...jobs.map(({ object }) => object)],
    untouched: new Set(kept.map(({ kind, metadata }) => `${kind}/${metadata.name}`)),
  };
}

/** Returns whether the pods of a Job may run now; after the end only those of members that are kept. */
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
function runnable({ input, replicatedJobs, record }: AssemblyInput): Set<string> {
  const waiting = replicatedJobs
    .filter((replicatedJob) =>
      replicatedJob.progress ? !replicatedJob.progress.finished : !isOver(replicatedJob, record),
    )
    .map((replicatedJob) => ({ replicatedJob, rank: rankOf(replicatedJob), index: replicatedJob.spans[0]?.as ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const { workload } = input;
  const most = runPolicyOf(workload.kind).maxActiveJobs(workload, replicatedJobs);
  const runs = waiting.filter(({ rank }) => rank === 0).length;
  return new Set(waiting.slice(0, Math.max(most, runs)).map(({ replicatedJob }) => replicatedJob.name));
}

const rankOf = ({ progress }: ReplicatedJob): number => (progress ? (progress.suspended ? 1 : 0) : 2);

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

/** Returns objects that are no longer desired, but that the pods of running Jobs may still mount or refer to. */
function stillUsed({ desired, observed }: RunInput): Child[] {
  const wanted = new Set(desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  return observed.owned.filter(
    ({ kind, name, deleting }) => usedByPods.has(kind) && !deleting && !wanted.has(`${kind}/${name}`),
  );
}
