import { hooksOf } from '../../api';
import { hookJobName } from '../../expand';
import { type Child } from '../observed/child';
import { computeJobProgress } from '../run/job-progress';
import { recordBefore } from './hook-attempt';
import { gatedObjects, openObjects } from './hook-objects';
import { type HookInput, type HookJob, type HookPlan } from './hook-plan';
import { succeededRecord, withDeployed, type HookRecord } from './hook-record';

/**
 * Plans the hooks of a workload: which one runs, and whether its pods may follow its spec; undefined if it has none.
 *
 * Pure and level-triggered: the record, the Jobs and the pods decide. An attempt is recorded before its Jobs exist, and a
 * success before anything follows from it, so that after a crash no hook that succeeded runs again.
 */
export function planHooks(input: HookInput): HookPlan | undefined {
  const { workload, observed } = input;
  const liveJobs = observed.owned.filter(({ kind }) => kind === 'Job');
  if (hooksOf(workload).length === 0 && input.record === undefined && liveJobs.length === 0) return undefined;
  const before = recordBefore(input, liveJobs);
  const names = new Set(hooksOf(workload).map(({ name }) => hookJobName(workload, name, before.attempt)));
  const jobs = liveJobs.map((child) => hookJobOf(child, before, names));
  const record = withExitCode(before.phase === 'Running' ? updatedRecord(input, before, jobs) : before, input);
  const ending = endingJob(input, jobs);
  const isGated = record.phase !== 'Succeeded' || ending !== undefined;
  const objects = isGated ? gatedObjects(input, jobs, record, ending === undefined) : openObjects(input, jobs, record);
  return {
    ...objects,
    record,
    writeFirst: comesFirst(record, input.record),
    isGated,
    ...(ending !== undefined && { ending }),
  };
}

/** Returns a Job of a hook; once all hooks have succeeded, those of the deployed spec are current. */
function hookJobOf(child: Child, { phase, spec }: HookRecord, names: ReadonlySet<string>): HookJob {
  const progress = computeJobProgress(child);
  const isDeployed = progress.finished !== undefined && child.run?.startsWith(`${spec}-`) === true;
  return { child, progress, isCurrent: phase === 'Succeeded' ? isDeployed : names.has(child.name) };
}

/** Returns the record updated from the Jobs: the hooks that succeeded, and the one that runs or has failed. */
function updatedRecord({ workload, retry }: HookInput, before: HookRecord, jobs: readonly HookJob[]): HookRecord {
  const { hook: _, job: __, jobUid, ...kept } = before;
  const done = new Set(before.succeeded ?? []);
  for (const { name: hook } of hooksOf(workload)) {
    if (done.has(hook)) continue;
    const job = hookJobName(workload, hook, before.attempt);
    const live = jobs.find(({ child }) => child.name === job && !child.deleting);
    const finished = live?.progress.finished;
    if (finished?.outcome === 'Succeeded') {
      done.add(hook);
      continue;
    }
    // A Job that was seen is not created again: its work may be half done.
    const isDeleted = before.job === job && jobUid !== undefined && live?.child.uid !== jobUid;
    const message = isDeleted
      ? 'the Job was deleted before it ended'
      : finished && (finished.message || finished.reason);
    return {
      ...kept,
      ...(done.size > 0 && { succeeded: [...done] }),
      hook,
      job,
      ...(live && { jobUid: live.child.uid }),
      ...(message === undefined
        ? { phase: 'Running' }
        : { phase: 'Failed', message: message.slice(0, 1024), ...(retry !== undefined && { retry }) }),
    };
  }
  return succeededRecord(before.spec, withDeployed(before.history ?? [], before.spec));
}

/** Adds the exit code of a failed hook, which its pod may show later than its Job. */
function withExitCode(record: HookRecord, { pods }: HookInput): HookRecord {
  if (record.phase !== 'Failed' || record.exitCode !== undefined) return record;
  const exits = pods
    .filter(({ controller }) => controller?.uid === record.jobUid)
    .flatMap(({ containerIssues }) => containerIssues)
    .flatMap(({ container, exit }) => (container === record.hook && exit ? [exit] : []));
  const [last] = exits.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  return last ? { ...record, exitCode: last.code } : record;
}

/** Returns the name of a Job of another attempt, or of one that is deleted, whose pods may still run. */
function endingJob({ pods }: HookInput, jobs: readonly HookJob[]): string | undefined {
  const job = jobs.find(({ child, progress, isCurrent }) => child.deleting || (!isCurrent && !progress.finished));
  if (job) return job.child.name;
  const uids = new Set(jobs.map(({ child }) => child.uid));
  return pods.find(
    ({ hook, phase, controller }) =>
      hook !== undefined && phase !== 'Succeeded' && phase !== 'Failed' && !uids.has(controller?.uid ?? ''),
  )?.controller?.name;
}

/** Returns whether a record must be written before anything follows from it. */
function comesFirst(after: HookRecord, before: HookRecord | undefined): boolean {
  const remembers = (record: HookRecord | undefined) => record?.history?.includes(after.spec) === true;
  if (after.phase === 'Succeeded') return remembers(after) && !remembers(before);
  // The first Jobs identify their attempt themselves.
  if (before === undefined) return after.phase === 'Failed' || after.succeeded !== undefined;
  const isSame = before.spec === after.spec && before.attempt === after.attempt;
  return !isSame || before.phase !== after.phase || before.succeeded?.length !== after.succeeded?.length;
}
