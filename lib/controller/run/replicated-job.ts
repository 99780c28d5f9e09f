import { metadataKeys } from '../../api';
import { formatIndexes, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { type JobProgress } from './job-progress';
import { parseIndexes } from './index-ranges';
import { type RunRecord } from './run-plan';

/** Part of a run that has a Job: a shard, all identical shards, or the members of a role. */
export interface ReplicatedJob {
  readonly name: string;
  /** Desired Job. */
  readonly object: KubernetesObject;
  /** Existing Job of this attempt. */
  readonly child?: Child;
  readonly progress?: JobProgress;
  /** Its indexes in the record: `shards`, or its roles in order. */
  readonly spans: readonly IndexSpan[];
  readonly count: number;
}

/** Indexes of a Job that the record has under one key. */
export interface IndexSpan {
  readonly key: string;
  /** First index in the Job. */
  readonly from: number;
  /** First index in the record. */
  readonly recordFrom: number;
  readonly count: number;
  /** Whether the success of the Job, also by its own success policy, is that of all its indexes. @default false */
  readonly succeedsAsWhole?: boolean;
}

interface JobSpec {
  readonly completionMode?: string;
  readonly completions?: number;
  readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
}

/** Members of the workload that a Job runs. */
export interface JobMembers {
  /** Shard or role; undefined if the Job runs all members. */
  readonly member: string | undefined;
  readonly count: number;
  readonly indexed: boolean;
}

/** Returns the replicated Job of a desired Job. */
export function replicatedJobOf(
  object: KubernetesObject,
  child: Child | undefined,
  progress: JobProgress | undefined,
  indexSpans: (job: JobMembers) => readonly IndexSpan[],
): ReplicatedJob {
  const spec = object['spec'] as JobSpec;
  const count = spec.completions ?? 1;
  const member = spec.template?.metadata?.labels?.[metadataKeys.member];
  return {
    name: object.metadata.name,
    object,
    ...(child && { child }),
    ...(progress && { progress }),
    spans: indexSpans({ member, count, indexed: spec.completionMode === 'Indexed' }),
    count,
  };
}

type Outcome = 'succeeded' | 'failed';

const parsedIndexes = new WeakMap<object, Map<string, ReadonlySet<number>>>();

/** Returns the indexes of a record under one key; parsed once for all shards. */
function indexesInRecord(record: RunRecord, outcome: Outcome, key: string): ReadonlySet<number> {
  const texts = record[outcome];
  const cached = parsedIndexes.get(texts) ?? new Map<string, ReadonlySet<number>>();
  parsedIndexes.set(texts, cached);
  let indexes = cached.get(key);
  if (!indexes) {
    indexes = parseIndexes(texts[key]);
    cached.set(key, indexes);
  }
  return indexes;
}

/** Returns the finished indexes of a Job, from the record and from the Job itself. */
export function indexesOf(replicatedJob: ReplicatedJob, record: RunRecord, outcome: Outcome): Set<number> {
  const indexes = new Set<number>(liveIndexes(replicatedJob, outcome));
  for (const { key, from, recordFrom, count } of replicatedJob.spans) {
    const cached = indexesInRecord(record, outcome, key);
    for (let index = recordFrom; index < recordFrom + count; index++)
      if (cached.has(index)) indexes.add(index - recordFrom + from);
  }
  return indexes;
}

/** Returns whether every index of a Job is finished. */
export const hasFinished = (replicatedJob: ReplicatedJob, record: RunRecord): boolean =>
  replicatedJob.progress?.finished !== undefined ||
  indexesOf(replicatedJob, record, 'succeeded').size + indexesOf(replicatedJob, record, 'failed').size >=
    replicatedJob.count;

/** Returns the finished indexes of a live Job; a Job without indexes counts as index 0. */
function liveIndexes({ progress, object }: ReplicatedJob, outcome: Outcome): Iterable<number> {
  if (!progress) return [];
  if ((object['spec'] as JobSpec).completionMode === 'Indexed') return progress[outcome];
  return progress.finished?.outcome === (outcome === 'succeeded' ? 'Succeeded' : 'Failed') ? [0] : [];
}

/** Returns the finished indexes of a record, updated from the Jobs. */
export function recordedIndexes(
  replicatedJobs: readonly ReplicatedJob[],
  record: RunRecord,
  outcome: Outcome,
): Readonly<Record<string, string>> {
  const sets = new Map(Object.entries(record[outcome]).map(([key, text]) => [key, parseIndexes(text)]));
  for (const replicatedJob of replicatedJobs) {
    const live = [...liveIndexes(replicatedJob, outcome)];
    for (const span of replicatedJob.spans) {
      const { key, from, recordFrom, count } = span;
      const covered = isWholeSuccess(replicatedJob, span, outcome)
        ? Array.from({ length: count }, (_, index) => from + index)
        : live.filter((index) => index >= from && index < from + count);
      if (covered.length === 0) continue;
      const set = sets.get(key) ?? new Set<number>();
      for (const index of covered) set.add(index - from + recordFrom);
      sets.set(key, set);
    }
  }
  return Object.fromEntries([...sets].map(([key, set]) => [key, formatIndexes(set)]));
}

const isWholeSuccess = ({ progress }: ReplicatedJob, { succeedsAsWhole }: IndexSpan, outcome: Outcome): boolean =>
  succeedsAsWhole === true && outcome === 'succeeded' && progress?.finished?.outcome === 'Succeeded';
