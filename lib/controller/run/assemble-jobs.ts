import { type KubernetesObject } from '../../expand';
import { arrangedJob, asItIs } from './arranged-job';
import { belongsTo, type LiveJob } from './attempt';
import { type Child } from '../observed/child';
import { runPolicyOf } from '../kinds/kind-controllers';
import { type ConductInput, type RunRecord } from './run-plan';
import { isOver, type ReplicatedJob } from './replicated-job';

/** What the objects to be are made of. */
export interface Arrangement {
  readonly input: ConductInput;
  readonly pieces: readonly ReplicatedJob[];
  /** All Jobs that there are, those of earlier attempts too. */
  readonly jobs: readonly LiveJob[];
  /** Record of the attempt that the pieces belong to. */
  readonly before: RunRecord;
  /** Record that the objects are to fit. */
  readonly record: RunRecord;
  /** The spec asks for other work than runs. */
  readonly outdated: boolean;
  /** A gang waits: no member may run. */
  readonly held: boolean;
}

/** The objects to be under a record, and which of them stay as they are. */
export interface Arranged {
  readonly objects: readonly KubernetesObject[];
  readonly untouched: ReadonlySet<string>;
}

/** Says which objects there are to be: Jobs that run, that wait, or that are left out because they are not to be. */
export function assembleJobs(arrangement: Arrangement): Arranged {
  if (arrangement.outdated) return asTheyRun(arrangement);
  const { input, pieces, record, before, held } = arrangement;
  const { desired, observed } = input;
  const over = record.outcome !== undefined;
  const byName = new Map(pieces.map((piece) => [piece.name, piece]));
  const running = runnable(arrangement);
  const goesOn = record.run === before.run && record.restarts === before.restarts;
  const blocked = isBlocked(arrangement);
  const objects = desired.flatMap((object) => {
    const piece = object.kind === 'Job' ? byName.get(object.metadata.name) : undefined;
    // After the end nothing is made again, whatever disappears.
    if (!piece) return over && !observed.child(object.kind, object.metadata.name) ? [] : [object];
    const there = piece.child ? goesOn : !over && !blocked && running.has(piece.name);
    return there ? [arrangedJob(piece, record, held || !mayRun(arrangement, running, piece))] : [];
  });
  const used = over || !pieces.some(({ standing }) => standing?.begun) ? [] : stillUsed(input);
  return {
    objects: [...objects, ...used.map(asItIs)],
    untouched: new Set(used.map(({ kind, name }) => `${kind}/${name}`)),
  };
}

/** All as it is, but for Jobs that have to wait or go on: the spec no longer says what they were made of. */
function asTheyRun(arrangement: Arrangement): Arranged {
  const { input, pieces, held } = arrangement;
  const names = new Set(pieces.map(({ name }) => name));
  const jobs = pieces.map((piece) => {
    const spec = piece.object['spec'] as { readonly suspend?: boolean };
    const waits = held || !mayRun(arrangement, names, piece);
    const asWanted = (spec.suspend ?? false) === waits || piece.standing?.over !== undefined || piece.standing?.ending;
    return asWanted
      ? { object: piece.object, changed: false }
      : { object: { ...piece.object, spec: { ...spec, suspend: waits } }, changed: true };
  });
  const others = input.observed.owned.filter(({ kind }) => kind !== 'Job').map(asItIs);
  const kept = [...others, ...jobs.filter(({ changed }) => !changed).map(({ object }) => object)];
  return {
    objects: [...others, ...jobs.map(({ object }) => object)],
    untouched: new Set(kept.map(({ kind, metadata }) => `${kind}/${metadata.name}`)),
  };
}

/** Whether the pods of a Job may run now; after the end only those of members that nobody withdraws. */
function mayRun({ input, record }: Arrangement, running: ReadonlySet<string>, { name }: ReplicatedJob): boolean {
  const { workload } = input;
  if (workload.spec.suspend) return false;
  if (record.outcome === undefined) return running.has(name);
  return record.outcome === 'Succeeded' && runPolicyOf(workload.kind).outlivesSuccess(workload);
}

/**
 * Names of the Jobs that are not over and may run beside each other: those that run go on even where fewer may by now,
 * then those that are there, then by index.
 */
function runnable({ input, pieces, record }: Arrangement): Set<string> {
  const waiting = pieces
    .filter((piece) => (piece.standing ? !piece.standing.over : !isOver(piece, record)))
    .map((piece) => ({ piece, rank: rankOf(piece), index: piece.spans[0]?.as ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const { workload } = input;
  const most = runPolicyOf(workload.kind).maxActiveJobs(workload, pieces);
  const runs = waiting.filter(({ rank }) => rank === 0).length;
  return new Set(waiting.slice(0, Math.max(most, runs)).map(({ piece }) => piece.name));
}

const rankOf = ({ standing }: ReplicatedJob): number => (standing ? (standing.suspended ? 1 : 0) : 2);

/** What was before has to be gone before a Job is made: Jobs of earlier attempts, and pods whose Job is gone. */
function isBlocked({ input, jobs, record }: Arrangement): boolean {
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

/** Objects that nobody wants any more, but that the pods of running Jobs may still mount or name. */
function stillUsed({ desired, observed }: ConductInput): Child[] {
  const wanted = new Set(desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  return observed.owned.filter(
    ({ kind, name, deleting }) => usedByPods.has(kind) && !deleting && !wanted.has(`${kind}/${name}`),
  );
}
