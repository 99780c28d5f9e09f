import { metadataKeys, trueCondition } from '../../api';
import { contentDigest, firstDifference } from '../../expand';
import { immutableFieldsHash } from './applied-hash';
import { immutableFields, withImmutableFieldsOf } from './immutable-fields';
import { computeJobProgress } from '../run/job-progress';
import { specOf } from './spec-of';
import { type PendingChange, destructiveChange, type ChangeStrategy } from './change-strategy';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the strategy to change a Job, whose pod template is immutable.
 *
 * A Job of another run is replaced, as the run plan decides. A finished Job is kept, a running one continues with its pods,
 * and one that never started is recreated, because nothing is lost.
 */
export function jobStrategy(change: PendingChange): ChangeStrategy {
  const { desired, child, live, input, adopting } = change;
  const run = desired.metadata.annotations?.[metadataKeys.run];
  if (!adopting && child.run !== undefined && run !== undefined && child.run !== run) return { replace: 'Foreground' };
  const kept: ChangeStrategy = {
    object: withImmutableFieldsOf(desired, live),
    immutableHash: immutableFieldsHash(child.applied),
  };
  if (isJobFinished(child.status)) return adopting ? kept : {};
  if (isSameWork(change)) return { object: desired };
  // The live Job already has the desired fields, whatever was applied.
  if (digestOf(desired) === digestOf(live)) return kept;
  if (isSuspended(live) && !computeJobProgress(child).hasStarted) return { replace: 'Background' };
  // The same run of the same spec: only platform defaults differ, and those take effect with the next run.
  if (run !== undefined) return kept;
  if (input.allowLoss.has('Progress')) return { replace: 'Foreground' };
  const problem = `Job ${child.name} runs, and its pods cannot change while it does: it would restart and lose its progress.`;
  return { ...kept, blockingIssues: [destructiveChange(child, problem, 'Progress')] };
}

/** Returns whether immutable fields are as they were applied, by the controller or by another client. */
function isSameWork({ desired, child, live }: PendingChange): boolean {
  const appliedHash = immutableFieldsHash(child.applied);
  if (appliedHash !== undefined) return appliedHash === digestOf(desired);
  return firstDifference({ kind: 'Job', spec: immutableFields(desired) }, live) === undefined;
}

const digestOf = (job: object): string => contentDigest(JSON.stringify(immutableFields(job)));
const isSuspended = (live: object): boolean => specOf(live)['suspend'] === true;

/** Returns whether a Job has succeeded or failed. */
export const isJobFinished = (status: Fields): boolean =>
  ['Complete', 'Failed'].some((type) => trueCondition(status, type) !== undefined);
