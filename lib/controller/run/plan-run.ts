import { type RunKind, type Workload } from '../../api';
import { type KubernetesObject } from '../../expand';
import { assembleJobs } from './assemble-jobs';
import { unchangedObject } from './job-of-attempt';
import { attemptOf, belongsTo, liveJobs, type LiveJob } from './attempt';
import { runPolicyOf } from '../kinds/kind-controllers';
import { type RunPlan, type RunInput, type RunRecord } from './run-plan';
import { deadlineOf } from './deadline';
import { gangStart } from './gang';
import { outdatedIssue } from './outdated-issue';
import {
  type IndexSpan,
  type JobMembers,
  type ReplicatedJob,
  replicatedJobOf,
  recordedIndexes,
} from './replicated-job';
import { runStartTime } from './run-start-time';
import { remainingTtl } from './remaining-ttl';
import { earlier, pastDeadline, type RunResult } from './run-result';

/**
 * Plans a run: what spans its Jobs, and what no Job does by itself.
 *
 * Pure and level-triggered: the record, the Jobs and the pods decide, so that a crash between any two writes leads to
 * the same result. Whatever a single Job does natively is left to it.
 */
export function planRun(input: RunInput): RunPlan {
  const { workload, desired, observed, record } = input;
  const wanted = desired.filter(isJob).map(({ metadata }) => metadata.name);
  const jobs = liveJobs(workload, observed, wanted);
  const attempt = attemptOf(workload, jobs, record);
  const current = jobs.filter((job) => belongsTo(job, attempt.record));
  const replicatedJobs = attempt.outdated ? livePieces(input, current) : desiredPieces(input, current);
  const scene: Scene = { input, replicatedJobs, outdated: attempt.outdated };
  const judged = attempt.begins ? attempt.record : judge(scene, attempt.record);
  const gang = gangStart(input, replicatedJobs, judged);
  const next = withGang(judged, gang.gang);
  const life = remainingTtl(workload, next, input.now);
  const times = [
    life.requeueAfter,
    gang.requeueAfter,
    deadlineOf(scene.input, next, replicatedJobs.length)?.left,
  ].filter((time) => time !== undefined);
  const { objects, untouched } = assembleJobs({
    ...scene,
    jobs,
    before: attempt.record,
    record: next,
    held: gang.held,
  });
  return {
    desired: objects,
    record: next,
    writeFirst: turns(scene, jobs, next) || gang.recordFirst,
    ...(untouched.size > 0 && { untouched }),
    ...(gang.claim && { claim: gang.claim }),
    pods: next.outcome === 'Succeeded' ? runPolicyOf(workload.kind).podsToDelete(workload, input.pods) : [],
    expired: life.expired,
    ...(times.length > 0 && { requeueAfter: Math.min(...times) }),
    blockingIssues: [
      ...(attempt.outdated ? [outdatedIssue(workload)] : []),
      ...(gang.blockingIssue ? [gang.blockingIssue] : []),
    ],
  };
}

interface Scene {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  readonly outdated: boolean;
}

const isJob = ({ kind }: KubernetesObject): boolean => kind === 'Job';

function turns({ input }: Scene, jobs: readonly LiveJob[], after: RunRecord): boolean {
  const { record: before } = input;
  // Without an earlier run there is nothing to repeat: the first Jobs identify their run themselves.
  const begins = before.run !== after.run && (before.run !== undefined || jobs.some((job) => !belongsTo(job, after)));
  return begins || before.restarts !== after.restarts || before.outcome !== after.outcome;
}

function withGang({ gang: _, ...record }: RunRecord, gang: RunRecord['gang']): RunRecord {
  return { ...record, ...(gang && { gang }) };
}

function desiredPieces({ workload, desired }: RunInput, current: readonly LiveJob[]): ReplicatedJob[] {
  const byName = new Map(current.map((job) => [job.child.name, job]));
  return desired.filter(isJob).map((object) => {
    const job = byName.get(object.metadata.name);
    return replicatedJobOf(object, job?.child, job?.progress, spansIn(workload));
  });
}

const spansIn =
  (workload: Workload<RunKind>) =>
  (job: JobMembers): readonly IndexSpan[] =>
    runPolicyOf(workload.kind).indexSpans(workload, job);

const livePieces = ({ workload }: RunInput, current: readonly LiveJob[]): ReplicatedJob[] =>
  current.map(({ child, progress }) => replicatedJobOf(unchangedObject(child), child, progress, spansIn(workload)));

/** Returns the record updated from the Jobs, with its end or its restart. */
function judge(scene: Scene, before: RunRecord): RunRecord {
  if (before.outcome !== undefined) return before;
  const { input, replicatedJobs } = scene;
  const since = runStartTime(input, replicatedJobs, before);
  const { started: _, ...rest } = before;
  const record: RunRecord = {
    ...rest,
    succeeded: recordedIndexes(replicatedJobs, before, 'succeeded'),
    failed: recordedIndexes(replicatedJobs, before, 'failed'),
    ...(since !== undefined && { started: since }),
  };
  const verdict = verdictOf(scene, before, record);
  return verdict ? ended(scene, record, verdict) : record;
}

function verdictOf(
  { input, replicatedJobs, outdated }: Scene,
  before: RunRecord,
  record: RunRecord,
): RunResult | undefined {
  const { workload, now } = input;
  const deadline = deadlineOf(input, record, replicatedJobs.length);
  const late =
    deadline && deadline.left <= 0 ? pastDeadline(deadline.at, workload.spec.activeDeadline ?? '') : undefined;
  const result = runPolicyOf(workload.kind).result({ workload, jobs: replicatedJobs, record: before, outdated, now });
  return earlier(result, late);
}

function ended({ input, outdated }: Scene, record: RunRecord, verdict: RunResult): RunRecord {
  const { workload } = input;
  const most = runPolicyOf(workload.kind).maxRestarts(workload);
  if (verdict.outcome === 'Failed' && verdict.repeatable && !outdated && record.restarts < most)
    return { ...record, restarts: record.restarts + 1, succeeded: {}, failed: {} };
  return {
    ...record,
    ended: new Date(verdict.at).toISOString(),
    outcome: verdict.outcome,
    outcomeReason: verdict.reason,
    outcomeMessage: verdict.message,
  };
}
