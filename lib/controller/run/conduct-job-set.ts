import { type Workload } from '../../api';
import { formatIndexes } from '../../expand';
import { type RunRecord } from './run-plan';
import { endsAll, isPermanentFailure, tooManyFailed } from './failure-policy';
import { parseIndexes } from './index-ranges';
import { type JobProgress } from './job-progress';
import { indexesOf, type ReplicatedJob, shardsKey } from './replicated-job';
import { hasSucceeded } from './success-policy';
import { failed, succeeded, type RunResult } from './run-result';

type JobSet = Workload<'PinterestJobSet'>;
type Over = NonNullable<JobProgress['over']>;

/** Whether the shards have Jobs of their own. */
export const isApart = (pieces: readonly ReplicatedJob[]): boolean =>
  pieces.some(({ object }) => (object['spec'] as { completionMode?: string }).completionMode !== 'Indexed');

/** How a job set has ended, if it has: one Indexed Job says so itself, over Jobs of their own its policies decide. */
export function judgeJobSet(
  workload: JobSet,
  pieces: readonly ReplicatedJob[],
  record: RunRecord,
  now: number,
): RunResult | undefined {
  const [only] = pieces;
  if (only && !isApart(pieces)) return judgeOneJob(only, record, now);
  return judgeShards(workload, pieces, record, now);
}

/** How a set has ended whose spec says something else by now: only its Jobs know what was asked of them. */
export function judgeOutdated(pieces: readonly ReplicatedJob[], record: RunRecord, now: number): RunResult | undefined {
  const [only] = pieces;
  if (only && !isApart(pieces)) return judgeOneJob(only, record, now);
  const ends = pieces.map(({ standing }) => standing?.over);
  if (ends.some((over) => over === undefined)) return undefined;
  const at = Math.max(0, ...ends.map((over) => over?.at ?? 0)) || now;
  return failed(at, 'Superseded', 'the shards that had begun have ended, and the spec asks for other work by now');
}

function judgeOneJob(piece: ReplicatedJob, record: RunRecord, now: number): RunResult | undefined {
  const over = piece.standing?.over;
  if (over?.outcome === 'Succeeded') return succeeded(over.at, `Job ${piece.name} succeeded`);
  if (over) return jobFailed(piece.name, over);
  return piece.standing ? undefined : lost(piece, record, now);
}

/** The failure of one Job as that of the whole. */
export const jobFailed = (name: string, { at, reason, message }: Over): RunResult => ({
  ...failed(at, 'JobFailed', `Job ${name} failed: ${message || reason}`, !isPermanentFailure(reason)),
  ...(reason !== '' && { reason }),
});

/** The end of a Job that is gone: by the record, which knows the indexes that are over and does not let them run again. */
export function lost(piece: ReplicatedJob, record: RunRecord, now: number): RunResult | undefined {
  const done = indexesOf(piece, record, 'succeeded');
  const broken = indexesOf(piece, record, 'failed');
  if (done.size + broken.size === 0) return undefined;
  if (done.size === piece.count) return succeeded(now, `all of Job ${piece.name} succeeded`);
  const over = formatIndexes([...done, ...broken]);
  return failed(
    now,
    'JobDeleted',
    `Job ${piece.name} was deleted while its indexes ${over} of ${piece.count} were over, and a Job cannot leave them out; change the spec or create it anew to run all of them`,
    true,
  );
}

/** Takes the ends of shards in the order in which they came, so that a controller that was away comes to the same verdict. */
function judgeShards(
  workload: JobSet,
  pieces: readonly ReplicatedJob[],
  record: RunRecord,
  now: number,
): RunResult | undefined {
  const done = parseIndexes(record.succeeded[shardsKey]);
  const broken = parseIndexes(record.failed[shardsKey]);
  const ends = pieces
    .flatMap(({ name, spans, standing }) =>
      standing?.over ? [{ name, index: spans[0]?.as ?? 0, over: standing.over }] : [],
    )
    .sort((a, b) => a.over.at - b.over.at || rank(a.over) - rank(b.over) || a.index - b.index);
  for (const { name, index, over } of ends) {
    (over.outcome === 'Succeeded' ? done : broken).add(index);
    const verdict = verdictOf(workload, { done, broken, name, over });
    if (verdict) return verdict;
  }
  return ends.length === 0 ? verdictOf(workload, { done, broken, name: '', over: nothing(now) }) : undefined;
}

/** Failures first, as the Job controller has it among the indexes of one Job. */
const rank = ({ outcome }: Over): number => (outcome === 'Failed' ? 0 : 1);
const nothing = (at: number): Over => ({ outcome: 'Succeeded', at, reason: '', message: '' });

interface Moment {
  readonly done: ReadonlySet<number>;
  readonly broken: ReadonlySet<number>;
  readonly name: string;
  readonly over: Over;
}

function verdictOf({ spec }: JobSet, { done, broken, name, over }: Moment): RunResult | undefined {
  const shards = `shards ${formatIndexes(broken)}`;
  if (over.outcome === 'Failed' && (over.reason === 'DeadlineExceeded' || endsAll(spec, over)))
    return jobFailed(name, over);
  if (tooManyFailed(spec, broken))
    return failed(over.at, 'MaxFailedShardsExceeded', `${shards} failed, more than maxFailedShards allows`, true);
  if (hasSucceeded(spec, done)) return succeeded(over.at, `${done.size} of ${spec.shards} shards succeeded`);
  if (done.size + broken.size < spec.shards) return undefined;
  return failed(over.at, 'FailedShards', `${shards} failed`, true);
}
