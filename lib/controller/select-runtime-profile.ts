import { type PlatformManifest } from '../api';
import { secondsOf } from '../expand';

/** What the choice of a workload's runtime profile depends on. */
export interface ProfileSelectionInput {
  readonly runtime: PlatformManifest<'Platform'>['spec']['runtime'];
  /** Since when the Platform names its profile, in milliseconds since 1970; undefined where that is not recorded yet. */
  readonly inForceSince: number | undefined;
  /** Profile that the workload's pods were made with. */
  readonly recorded: string | undefined;
  /** Whether its spec changed since, its number of replicas apart. */
  readonly redeployed: boolean;
  /** Whether it is work under way: it ends on the profile that it began with. */
  readonly running: boolean;
  /** Whether a profile exists still, and says the same as the one in force. */
  readonly profileState: (profile: string) => 'gone' | 'same' | 'other';
  /** Returns whether the canary blocks workloads that were not deployed again. */
  readonly isHeld: () => boolean;
  readonly now: number;
}

/** The runtime profile of a workload, and when time alone will change that. */
export interface SelectedProfile {
  readonly profile: string;
  /** Milliseconds since 1970 when it moves to the one in force, deployed or not. */
  readonly changesAt?: number;
}

/**
 * Chooses the runtime profile of a workload: one version is in force in a cluster, and workloads move to it at once
 * or with their next deploy, at the latest when the deadline is over.
 *
 * A profile of another name that says the same is kept: its name alone restarts no pod. Where the Platform has the canary
 * checked, a workload that was not deployed again moves only while the canary is healthy.
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
  // No time alone ends that: what the canary says next does.
  return { profile: choice.isHeld() ? recorded : runtime.profile };
}
