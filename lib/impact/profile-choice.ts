import { type PlatformManifest } from '../api';
import { secondsOf } from '../expand';

/** What a workload waits for until its pods have a change. */
export type ImpactWait = 'deployment' | 'canary' | 'run' | 'podDeletion' | 'resume' | 'release';

/** Runtime profile of a workload right after a change, and the one that it moves to later. */
export interface ProfileChoice {
  readonly profile: string;
  readonly later?: {
    readonly profile: string;
    readonly waitsFor: ImpactWait;
    /** Time after which it moves without a deployment, such as `14d`. @default - it does not */
    readonly within?: string;
  };
}

/** Inputs of the choice of a runtime profile. */
export interface ProfileChoiceInput {
  readonly runtime: PlatformManifest<'Platform'>['spec']['runtime'];
  /** Profile of its pods before the change. @default - it has none */
  readonly recorded: string | undefined;
  /** Whether its spec changes, except for its number of replicas. */
  readonly isRedeployed: boolean;
  /** Whether its profile was in force until the Platform named the current one again. */
  readonly isWithdrawn: boolean;
  /** Whether it is a run in progress. */
  readonly isRunning: boolean;
  /** Whether the canary blocks the current profile, as far as it is known. */
  readonly isBlocked: boolean;
  readonly stateOf: (profile: string) => 'missing' | 'same' | 'different';
}

/** Returns the runtime profile of a workload after a change, by the rules of the controller. */
export function chooseProfile({ runtime, recorded, stateOf, ...workload }: ProfileChoiceInput): ProfileChoice {
  const current = { profile: runtime.profile };
  if (recorded === undefined || recorded === runtime.profile) return current;
  const state = stateOf(recorded);
  if (state === 'missing') return current;
  const kept = { profile: recorded };
  if (workload.isRunning) return { ...kept, later: { ...current, waitsFor: 'run' } };
  if (state === 'same' && !workload.isRedeployed) return kept;
  if (workload.isWithdrawn || (workload.isRedeployed && !workload.isBlocked)) return current;
  const waitsFor = workload.isRedeployed ? 'canary' : 'deployment';
  if (runtime.rollout !== 'Immediate' && secondsOf(runtime.rolloutDeadline) > 0)
    return { ...kept, later: { ...current, waitsFor, within: runtime.rolloutDeadline } };
  return workload.isBlocked ? { ...kept, later: { ...current, waitsFor: 'canary' } } : current;
}
