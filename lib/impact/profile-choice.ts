import { type PlatformManifest } from '../api';
import { secondsOf } from '../expand';

/** What a workload waits for until its pods have a change. */
export type ImpactWait = 'deployment' | 'canary' | 'run' | 'podDeletion' | 'resume';

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
  /** Whether it is a run in progress. */
  readonly isRunning: boolean;
  readonly stateOf: (profile: string) => 'missing' | 'same' | 'different';
}

/** Returns the runtime profile of a workload after a change, by the rules of the controller. */
export function chooseProfile({
  runtime,
  recorded,
  isRedeployed,
  isRunning,
  stateOf,
}: ProfileChoiceInput): ProfileChoice {
  const current = { profile: runtime.profile };
  if (recorded === undefined || recorded === runtime.profile) return current;
  const state = stateOf(recorded);
  if (state === 'missing') return current;
  if (isRunning) return { profile: recorded, later: { ...current, waitsFor: 'run' } };
  if (isRedeployed) return current;
  if (state === 'same') return { profile: recorded };
  if (runtime.rollout !== 'Immediate' && secondsOf(runtime.rolloutDeadline) > 0)
    return { profile: recorded, later: { ...current, waitsFor: 'deployment', within: runtime.rolloutDeadline } };
  // Whether the canary passes with the new profile shows only after the change.
  return runtime.canary ? { profile: recorded, later: { ...current, waitsFor: 'canary' } } : current;
}
