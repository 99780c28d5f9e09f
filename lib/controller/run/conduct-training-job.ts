import { trainingRoles, type Workload } from '../../api';
import { jobFailed, lost } from './conduct-job-set';
import { type RunRecord } from './run-plan';
import { indexesOf, type ReplicatedJob } from './replicated-job';
import { earlier, succeeded, type RunResult } from './run-result';

type TrainingJob = Workload<'PinterestTrainingJob'>;

/** Whether members of a piece end by themselves: parameter servers serve until they are told to end. */
const endsByItself = ({ spans }: ReplicatedJob): boolean => spans.some(({ key }) => key !== 'ps');

/** Whether the member that leads is in a piece, as its index 0. */
export function leads({ spec }: TrainingJob, { spans }: ReplicatedJob): boolean {
  const leader = trainingRoles[spec.framework].find((role) => spec.roles[role] !== undefined);
  return spans[0]?.key === leader;
}

/** How a training job has ended, if it has: by the success that counts, or by a role that failed for good, whichever came first. */
export function judgeTrainingJob(
  workload: TrainingJob,
  pieces: readonly ReplicatedJob[],
  record: RunRecord,
  now: number,
): RunResult | undefined {
  const failures = pieces.map((piece) => failureOf(piece, record, now)).reduce(earlier, undefined);
  const success =
    workload.spec.successPolicy === 'Leader' ? leaderSuccess(workload, pieces, now) : allSuccess(pieces, record, now);
  return earlier(success, failures);
}

function failureOf(piece: ReplicatedJob, record: RunRecord, now: number): RunResult | undefined {
  const over = piece.standing?.over;
  if (over?.outcome === 'Failed') return { ...jobFailed(piece.name, over), repeatable: false };
  const end = piece.standing ? undefined : lost(piece, record, now);
  return end?.outcome === 'Failed' ? { ...end, repeatable: false } : undefined;
}

function leaderSuccess(workload: TrainingJob, pieces: readonly ReplicatedJob[], now: number): RunResult | undefined {
  const leader = pieces.find((piece) => leads(workload, piece));
  const over = leader?.standing?.over;
  if (over?.outcome === 'Succeeded') return succeeded(over.at, `the leader, in Job ${leader?.name ?? ''}, succeeded`);
  // A Job with a success policy ends by itself once its leader has.
  const ends = (leader?.object['spec'] as { successPolicy?: unknown } | undefined)?.successPolicy !== undefined;
  if (over || ends || !leader?.standing?.succeeded.has(0)) return undefined;
  return succeeded(now, `the leader, index 0 of Job ${leader.name}, succeeded`);
}

function allSuccess(pieces: readonly ReplicatedJob[], record: RunRecord, now: number): RunResult | undefined {
  let at = 0;
  for (const piece of pieces.filter(endsByItself)) {
    const over = piece.standing?.over;
    if (over?.outcome !== 'Succeeded' && !isAllDone(piece, record)) return undefined;
    at = Math.max(at, over?.at ?? 0);
  }
  return succeeded(at || now, 'all members that end by themselves succeeded');
}

/** Whether all members of a Job that may be gone have succeeded. */
const isAllDone = (piece: ReplicatedJob, record: RunRecord): boolean =>
  !piece.standing && indexesOf(piece, record, 'succeeded').size === piece.count;
