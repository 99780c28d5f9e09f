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
  hasFinished,
  replicatedJobOf,
  recordedIndexes,
} from './replicated-job';
import { runStartTime } from './run-start-time';
import { remainingTtl } from './remaining-ttl';
import { earlier, pastDeadline, type RunResult } from './run-result';

/**
 * Plans a run: everything that spans several Jobs, or that a Job does not do by itself.
 *
 * Pure and level-triggered: the record, the Jobs and the pods decide, so that a crash between any two writes leads to
 * the same result. Behavior that a single Job has natively is left to the Job controller.
 */
export function planRun(input: RunInput): RunPlan {
  const { workload, desired, observed, record } = input;
  const desiredNames = desired.filter(isJob).map(({ metadata }) => metadata.name);
  const jobs = liveJobs(workload, observed, desiredNames);
  const attempt = attemptOf(workload, jobs, record);
  const current = jobs.filter((job) => belongsTo(job, attempt.record));
  const replicatedJobs = attempt.outdated ? liveReplicatedJobs(input, current) : desiredReplicatedJobs(input, current);
  const state: PlanState = { input, replicatedJobs, outdated: attempt.outdated };
  const updated = attempt.startsRun ? attempt.record : updateRecord(state, attempt.record);
  const gang = gangStart(input, replicatedJobs, updated);
  const finalRecord = withGang(updated, gang.gang);
  const ttl = remainingTtl(workload, finalRecord, input.now);
  const times = [
    ttl.requeueAfter,
    gang.requeueAfter,
    deadlineOf(state.input, finalRecord, replicatedJobs.length)?.remaining,
  ].filter((time) => time !== undefined);
  const { objects, untouched } = assembleJobs({
    ...state,
    jobs,
    attemptRecord: attempt.record,
    record: finalRecord,
    isHeld: gang.held,
  });
  return {
    desired: objects,
    record: finalRecord,
    writeFirst: requiresRecord(state, jobs, finalRecord) || gang.recordFirst,
    ...(untouched.size > 0 && { untouched }),
    ...(gang.claim && { claim: gang.claim }),
    pods: finalRecord.outcome === 'Succeeded' ? runPolicyOf(workload.kind).podsToDelete(workload, input.pods) : [],
    expired: ttl.expired,
    ...(times.length > 0 && { requeueAfter: Math.min(...times) }),
    blockingIssues: [
      ...(attempt.outdated ? [outdatedIssue(workload, missingJobs(input, current, finalRecord))] : []),
      ...(gang.blockingIssue ? [gang.blockingIssue] : []),
    ],
  };
}

interface PlanState {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  readonly outdated: boolean;
}

const isJob = ({ kind }: KubernetesObject): boolean => kind === 'Job';

function requiresRecord({ input }: PlanState, jobs: readonly LiveJob[], after: RunRecord): boolean {
  const { record: before } = input;
  // Without an earlier run there is nothing to repeat: the first Jobs identify their run themselves.
  const startsRun =
    before.run !== after.run && (before.run !== undefined || jobs.some((job) => !belongsTo(job, after)));
  return startsRun || before.restarts !== after.restarts || before.outcome !== after.outcome;
}

function withGang({ gang: _, ...record }: RunRecord, gang: RunRecord['gang']): RunRecord {
  return { ...record, ...(gang && { gang }) };
}

function desiredReplicatedJobs({ workload, desired }: RunInput, current: readonly LiveJob[]): ReplicatedJob[] {
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

const liveReplicatedJobs = ({ workload }: RunInput, current: readonly LiveJob[]): ReplicatedJob[] =>
  current.map(({ child, progress }) => replicatedJobOf(unchangedObject(child), child, progress, spansIn(workload)));

/** Returns the names of the desired Jobs that an outdated run does not start any more. */
const missingJobs = (input: RunInput, current: readonly LiveJob[], record: RunRecord): readonly string[] =>
  desiredReplicatedJobs(input, current)
    .filter((job) => !job.child && !hasFinished(job, record))
    .map(({ name }) => name);

/** Returns the record updated from the Jobs, including the result or the restart of the run. */
function updateRecord(state: PlanState, before: RunRecord): RunRecord {
  const { input, replicatedJobs } = state;
  const indexes = {
    succeeded: recordedIndexes(replicatedJobs, before, 'succeeded'),
    failed: recordedIndexes(replicatedJobs, before, 'failed'),
  };
  // Pods may still finish until their Jobs are suspended.
  if (before.outcome !== undefined) return { ...before, ...indexes };
  const since = runStartTime(input, replicatedJobs, before);
  const { started: _, awaited: __, ...rest } = before;
  const awaited = awaitedOf(state, before);
  const record: RunRecord = {
    ...rest,
    ...indexes,
    ...(awaited.length > 0 && { awaited }),
    ...(since !== undefined && { started: since }),
  };
  const result = resultOf(state, before, record);
  return result ? recordResult(state, record, result) : record;
}

/** Returns the jobs that others wait for; an outdated run keeps those of its own spec. */
function awaitedOf({ input: { workload }, replicatedJobs, outdated }: PlanState, before: RunRecord): readonly string[] {
  if (outdated) return before.awaited ?? [];
  return runPolicyOf(workload.kind).awaited?.(workload, { jobs: replicatedJobs, record: before }) ?? [];
}

function resultOf(
  { input, replicatedJobs, outdated }: PlanState,
  before: RunRecord,
  record: RunRecord,
): RunResult | undefined {
  const { workload, now } = input;
  const deadline = deadlineOf(input, record, replicatedJobs.length);
  const timeout =
    deadline && deadline.remaining <= 0 ? pastDeadline(deadline.at, workload.spec.activeDeadline ?? '') : undefined;
  const result = runPolicyOf(workload.kind).result({ workload, jobs: replicatedJobs, record: before, outdated, now });
  return earlier(result, timeout);
}

/** Maximum length of a cause in a record, in characters. */
const maxCauseLength = 1024;

const restarted = (record: RunRecord, { message }: RunResult): RunRecord => ({
  ...record,
  restarts: record.restarts + 1,
  restartCause: message.slice(0, maxCauseLength),
  succeeded: {},
  failed: {},
});

function recordResult({ input, outdated }: PlanState, record: RunRecord, result: RunResult): RunRecord {
  const { workload } = input;
  const maxRestarts = runPolicyOf(workload.kind).maxRestarts(workload);
  const isRepeated = result.outcome === 'Failed' && result.repeatable && !outdated;
  if (isRepeated && result.ignoresMaxRestarts)
    return { ...restarted(record, result), uncountedRestarts: (record.uncountedRestarts ?? 0) + 1 };
  if (isRepeated && record.restarts - (record.uncountedRestarts ?? 0) < maxRestarts) return restarted(record, result);
  const { awaited: _, ...rest } = record;
  return {
    ...rest,
    ended: new Date(result.at).toISOString(),
    outcome: result.outcome,
    outcomeReason: result.reason,
    outcomeMessage: result.message,
  };
}
