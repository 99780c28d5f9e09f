import { type RunKind, type Workload } from '../../api';
import { secondsOf } from '../../expand';
import { type RunRecord } from './run-plan';

/** Returns whether a finished workload has exceeded its TTL, or the milliseconds until then. */
export function remainingTtl(
  { spec }: Workload<RunKind>,
  record: RunRecord,
  now: number,
): { readonly expired: boolean; readonly requeueAfter?: number } {
  if (record.outcome === undefined || record.ended === undefined) return { expired: false };
  const remaining = Date.parse(record.ended) + secondsOf(spec.ttlAfterFinished) * 1000 - now;
  return remaining <= 0 ? { expired: true } : { expired: false, requeueAfter: remaining };
}
