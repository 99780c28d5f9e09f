import { type PlatformManifest } from '../api';
import { secondsOf } from '../expand';

/** Inputs of the selection of a workload's runtime profile. */
export interface ProfileSelectionInput {
  readonly runtime: PlatformManifest<'Platform'>['spec']['runtime'];
  /** Time at which the Platform's profile became current, in milliseconds since 1970; undefined if not recorded yet. */
  readonly currentSince: number | undefined;
  /** Profile of the workload's current pods. */
  readonly recorded: string | undefined;
  /** Whether its spec changed since then, except for its number of replicas. */
  readonly redeployed: boolean;
  /** Whether its profile was in force until the Platform named the current one again. */
  readonly withdrawn: boolean;
  /** Whether it is a run in progress, which keeps the profile that it started with. */
  readonly running: boolean;
  /** Returns whether a profile still exists, and has the same content as the current one. */
  readonly profileState: (profile: string) => 'missing' | 'same' | 'different';
  /** Returns whether the canary blocks the current profile. */
  readonly isHeld: () => boolean;
  readonly now: number;
}

/** Selected runtime profile, and the time at which it changes without an event. */
export interface SelectedProfile {
  readonly profile: string;
  /** Time at which it moves to the current profile even without a deployment, in milliseconds since 1970. */
  readonly changesAt?: number;
}

/**
 * Selects the runtime profile of a workload: workloads move to the cluster's current profile immediately or with their
 * next deployment, at the latest after the deadline.
 *
 * A profile with another name but the same content is kept: a new name alone restarts no pod. If the Platform requires the
 * canary, a workload moves only while the canary is healthy, deployed or not. A withdrawn profile is left immediately,
 * without the canary: the current one was in force before.
 */
export function selectRuntimeProfile(input: ProfileSelectionInput): SelectedProfile {
  const { runtime, recorded, redeployed, now } = input;
  const current = { profile: runtime.profile };
  if (recorded === undefined || recorded === runtime.profile) return current;
  const profileState = input.profileState(recorded);
  if (profileState === 'missing') return current;
  const kept = { profile: recorded };
  if (input.running) return kept;
  if (profileState === 'same' && !redeployed) return kept;
  if (input.withdrawn) return current;
  // Only the next canary result ends the hold, so there is no time for it.
  if (redeployed && !input.isHeld()) return current;
  // The way back needs the record, so that it precedes the move.
  if (input.currentSince === undefined) return kept;
  const delay = runtime.rollout === 'Immediate' ? 0 : secondsOf(runtime.rolloutDeadline) * 1000;
  const changesAt = input.currentSince + delay;
  if (delay > 0 && now < changesAt) return { ...kept, changesAt };
  return input.isHeld() ? kept : current;
}
