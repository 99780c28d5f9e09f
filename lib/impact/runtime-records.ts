import { isDeepStrictEqual } from 'node:util';
import { nextRuntimeRecord, withRuntimeSettings, type RuntimeStatus } from '../expand';
import { recordedProfile } from './document-facts';
import { type ImpactSide } from './impact-side';

/** What the Platform has recorded of its runtime profiles before a change, and will have recorded right after it. */
export interface RuntimeRecords {
  readonly before: RuntimeStatus;
  readonly after: RuntimeStatus;
}

/** Only the order of the profiles decides here, never the time since which one is in force. */
const anyTime = '1970-01-01T00:00:00Z';

/**
 * Returns the records of both sides, by the rules of the controller. Without a record in a cluster, the change is the first one: the
 * earlier side's profile is the only one that was ever in force.
 */
export function runtimeRecords(earlier: ImpactSide, later: ImpactSide): RuntimeRecords {
  const from = earlier.cluster.platform.spec.runtime;
  const inUse = [...new Set(earlier.workloads.flatMap((document) => recordedProfile(document) ?? []))];
  const before = withRuntimeSettings(nextRuntimeRecord(earlier.runtime, from, anyTime), from, inUse);
  return { before, after: nextRuntimeRecord(before, later.cluster.platform.spec.runtime, anyTime) };
}

/** Returns whether the canary blocks the profile of the later side; until it reports on exactly that one, it does. */
export function isRolloutBlocked(
  { runtime: recorded, cluster: earlier }: ImpactSide,
  { cluster }: ImpactSide,
): boolean {
  const { canary, profile } = cluster.platform.spec.runtime;
  if (!canary) return false;
  if (!isDeepStrictEqual(canary, earlier.platform.spec.runtime.canary)) return true;
  return recorded?.profile !== profile || recorded.rolloutBlockedReason !== undefined;
}
