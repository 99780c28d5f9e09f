import { secondsOf } from '../../expand';
import { type RunInput, type RunRecord } from './run-plan';

/**
 * Returns the deadline of a run and the milliseconds until then; undefined if the run has none or is not active, or if
 * a single Job enforces it.
 *
 * It counts from the start of the run, across restarts; as in a Job, a suspension resets it.
 */
export function deadlineOf(
  { workload, now }: RunInput,
  record: RunRecord,
  jobs: number,
): { readonly at: number; readonly remaining: number } | undefined {
  const { activeDeadline: deadline } = workload.spec;
  if (deadline === undefined || record.started === undefined || record.outcome !== undefined) return undefined;
  if (jobs === 1 && record.restarts === 0) return undefined;
  const at = Date.parse(record.started) + secondsOf(deadline) * 1000;
  return { at, remaining: at - now };
}
