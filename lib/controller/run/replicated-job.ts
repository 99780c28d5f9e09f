import { metadataKeys, trainingRoles, type Workload } from '../../api';
import { formatIndexes, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { type JobProgress } from './job-progress';
import { parseIndexes } from './index-ranges';
import { type RunRecord } from './run-plan';

/** A part of the work that has a Job: a shard, all equal shards, or the members of a role. */
export interface ReplicatedJob {
  readonly name: string;
  /** The Job to be. */
  readonly object: KubernetesObject;
  /** The Job of this attempt, if there is one. */
  readonly child?: Child;
  readonly standing?: JobProgress;
  /** Where its indexes are in the record: `shards`, or roles one after the other. */
  readonly spans: readonly Span[];
  readonly count: number;
}

/** Indexes of a Job that the record keeps under one key. */
export interface Span {
  readonly key: string;
  /** Index in the Job of the first one. */
  readonly from: number;
  /** What the record calls the first one. */
  readonly as: number;
  readonly count: number;
}

interface JobSpec {
  readonly completionMode?: string;
  readonly completions?: number;
  readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
}

/** Key of the shards of a job set in a record. */
export const shardsKey = 'shards';

/** What a Job is of its workload. */
export function pieceOf(
  workload: Workload<'PinterestJobSet' | 'PinterestTrainingJob'>,
  object: KubernetesObject,
  child: Child | undefined,
  standing: JobProgress | undefined,
): ReplicatedJob {
  const spec = object['spec'] as JobSpec;
  const count = spec.completions ?? 1;
  const member = spec.template?.metadata?.labels?.[metadataKeys.member];
  return {
    name: object.metadata.name,
    object,
    ...(child && { child }),
    ...(standing && { standing }),
    spans:
      workload.kind === 'PinterestTrainingJob'
        ? roleSpans(workload, member, count)
        : [{ key: shardsKey, from: 0, as: spec.completionMode === 'Indexed' ? 0 : Number(member ?? 0), count }],
    count,
  };
}

function roleSpans({ spec }: Workload<'PinterestTrainingJob'>, member: string | undefined, count: number): Span[] {
  if (member !== undefined) return [{ key: member, from: 0, as: 0, count }];
  let from = 0;
  return trainingRoles[spec.framework].flatMap((role) => {
    const replicas = spec.roles[role]?.replicas;
    if (replicas === undefined) return [];
    const span = { key: role, from, as: 0, count: replicas };
    from += replicas;
    return [span];
  });
}

type Outcome = 'succeeded' | 'failed';

const parsed = new WeakMap<object, Map<string, ReadonlySet<number>>>();

/** Indexes of a record under one key; read once for all shards. */
function recorded(record: RunRecord, outcome: Outcome, key: string): ReadonlySet<number> {
  const texts = record[outcome];
  const known = parsed.get(texts) ?? new Map<string, ReadonlySet<number>>();
  parsed.set(texts, known);
  let indexes = known.get(key);
  if (!indexes) {
    indexes = parseIndexes(texts[key]);
    known.set(key, indexes);
  }
  return indexes;
}

/** Indexes of a Job that are over by the record or by the Job itself. */
export function indexesOf(piece: ReplicatedJob, record: RunRecord, outcome: Outcome): Set<number> {
  const indexes = new Set<number>(liveIndexes(piece, outcome));
  for (const { key, from, as, count } of piece.spans) {
    const known = recorded(record, outcome, key);
    for (let index = as; index < as + count; index++) if (known.has(index)) indexes.add(index - as + from);
  }
  return indexes;
}

/** Whether every index of a Job is over. */
export const isOver = (piece: ReplicatedJob, record: RunRecord): boolean =>
  piece.standing?.over !== undefined ||
  indexesOf(piece, record, 'succeeded').size + indexesOf(piece, record, 'failed').size >= piece.count;

/** A Job without indexes is its own and only one. */
function liveIndexes({ standing, object }: ReplicatedJob, outcome: Outcome): Iterable<number> {
  if (!standing) return [];
  if ((object['spec'] as JobSpec).completionMode === 'Indexed') return standing[outcome];
  return standing.over?.outcome === (outcome === 'succeeded' ? 'Succeeded' : 'Failed') ? [0] : [];
}

/** What the record says of indexes that are over, with what the Jobs say now. */
export function recordedIndexes(
  pieces: readonly ReplicatedJob[],
  record: RunRecord,
  outcome: Outcome,
): Readonly<Record<string, string>> {
  const sets = new Map(Object.entries(record[outcome]).map(([key, text]) => [key, parseIndexes(text)]));
  for (const piece of pieces) {
    const own = [...liveIndexes(piece, outcome)];
    for (const { key, from, as, count } of piece.spans) {
      const covered = own.filter((index) => index >= from && index < from + count);
      if (covered.length === 0) continue;
      const set = sets.get(key) ?? new Set<number>();
      for (const index of covered) set.add(index - from + as);
      sets.set(key, set);
    }
  }
  return Object.fromEntries([...sets].map(([key, set]) => [key, formatIndexes(set)]));
}
