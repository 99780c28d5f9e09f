import { hooksOf, type Workload } from '../../api';
import { deploymentHash, hookJobName, shortHash } from '../../expand';
import { type Child } from '../observed/child';
import { computeJobProgress } from '../run/job-progress';
import { type HookInput } from './hook-plan';
import { carriedHistory, maxHistory, succeededRecord, withDeployed, type HookRecord } from './hook-record';

/** Value of the annotation on the Jobs of an attempt. */
export const hookRunOf = ({ spec, attempt = '' }: HookRecord): string => `${spec}-${attempt}`;

/**
 * Returns the record that a plan continues from: the recorded one, or a new attempt for another spec or a requested retry.
 * Hooks are not run for a spec that was deployed before.
 */
export function recordBefore(input: HookInput, jobs: readonly Child[]): HookRecord {
  const { workload, record, retry } = input;
  const spec = deploymentHash(workload);
  const history = historyOf(input, spec);
  if (hooksOf(workload).length === 0) return succeededRecord(spec, history);
  if (history.includes(spec)) return succeededRecord(spec, withDeployed(history, spec));
  const kept = { spec, ...(history.length > 0 && { history }) };
  if (record === undefined) {
    const seen = seenHooks(workload, spec, jobs);
    return {
      ...kept,
      phase: 'Running',
      attempt: seenAttempt(spec, jobs) ?? newAttempt(input),
      ...(seen.length > 0 && { succeeded: seen }),
    };
  }
  if (record.spec !== spec) return { ...kept, phase: 'Running', attempt: newAttempt(input) };
  if (record.phase !== 'Failed' || retry === undefined || record.retry === retry) return { ...record, ...kept };
  // A retry repeats the hook that failed, and none that succeeded.
  const { succeeded } = record;
  return { ...kept, phase: 'Running', attempt: newAttempt(input), ...(succeeded && { succeeded }) };
}

/** Returns the deployed specs: as recorded, and as the objects carry them if the record lacks the current one. */
function historyOf({ record, observed }: HookInput, spec: string): readonly string[] {
  const recorded = record?.history ?? [];
  return recorded.includes(spec) || record?.spec === spec
    ? recorded
    : [...new Set([...recorded, ...carriedHistory(observed.owned)])].slice(0, maxHistory);
}

/** Names an attempt: a generation has one deployed spec, and the same one again has another generation. */
const newAttempt = ({ generation, retry = '' }: HookInput): string => shortHash(JSON.stringify([generation, retry]));

/** Returns the attempt of the newest Job of a spec, whose record was lost. */
function seenAttempt(spec: string, jobs: readonly Child[]): string | undefined {
  const runs = jobs.flatMap(({ run, status }) =>
    run?.startsWith(`${spec}-`)
      ? [{ attempt: run.slice(spec.length + 1), started: String(status['startTime'] ?? '9') }]
      : [],
  );
  return runs.sort((a, b) => (a.started < b.started ? 1 : -1))[0]?.attempt;
}

/** Returns the hooks whose Jobs succeeded for a spec, in any attempt, in their order; the record was lost. */
function seenHooks(workload: Workload, spec: string, jobs: readonly Child[]): readonly string[] {
  const succeeded = jobs.filter((job) => isSuccessFor(job, spec));
  return hooksOf(workload)
    .map(({ name }) => name)
    .filter((hook) =>
      succeeded.some(({ name, run = '' }) => name === hookJobName(workload, hook, run.slice(spec.length + 1))),
    );
}

/** Returns whether a Job of a hook has succeeded for a spec, in any attempt. */
export const isSuccessFor = (job: Child, spec: string): boolean =>
  job.run?.startsWith(`${spec}-`) === true && computeJobProgress(job).finished?.outcome === 'Succeeded';
