import { type PlatformManifest } from '../api';
import { secondsOf } from '../expand';

/** Inputs of the selection of a workload's runtime profile. */
export interface ProfileSelectionInput {
  readonly runtime: PlatformManifest<'Platform'>['spec']['runtime'];
  /** Time since which the Platform names its profile, in milliseconds since 1970; undefined if not recorded yet. */
  readonly inForceSince: number | undefined;
  /** Profile of the workload's current pods. */
  readonly recorded: string | undefined;
  /** Whether its spec changed since then, except its number of replicas. */
  readonly redeployed: boolean;
  /** Whether it is a run in progress, which keeps the profile that it started with. */
  readonly running: boolean;
  /** Returns whether a profile still exists, and has the same content as the current one. */
  readonly profileState: (profile: string) => 'gone' | 'same' | 'other';
  /** Returns whether the canary blocks workloads that were not deployed again. */
  readonly isHeld: () => boolean;
  readonly now: number;
}

/** Selected runtime profile, and when time alone will change it. */
export interface SelectedProfile {
  readonly profile: string;
  /** Milliseconds since 1970 when it moves to the current profile, even without a deploy. */
  readonly changesAt?: number;
}

/**
 * Selects the runtime profile of a workload: workloads move to the cluster's current profile at once or with their next
 * deploy, at the latest after the deadline.
 *
 * A profile of another name with the same content is kept: a name alone restarts no pod. If the Platform requires the
 * canary, a workload that was not deployed again moves only while the canary is healthy.
 */
export function selectRuntimeProfile(choice: ProfileSelectionInput): SelectedProfile {
  const { runtime, recorded, now } = choice;
  if (recorded === undefined || recorded === runtime.profile) return { profile: runtime.profile };
  const standing = choice.profileState(recorded);
  if (standing === 'gone') return { profile: runtime.profile };
  if (choice.running) return { profile: recorded };
  if (choice.redeployed) return { profile: runtime.profile };
  if (standing === 'same') return { profile: recorded };
  const wait = runtime.rollout === 'Immediate' ? 0 : secondsOf(runtime.rolloutDeadline) * 1000;
  const changesAt = (choice.inForceSince ?? now) + wait;
  if (wait > 0 && now < changesAt) return { profile: recorded, changesAt };
  // This does not end by time, but with the next canary result.
  return { profile: choice.isHeld() ? recorded : runtime.profile };
}
