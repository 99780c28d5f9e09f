import { type PlatformManifest, type Status } from '../../api';
import { type WaveMember } from '../../expand';
import { type MetricVerdict } from './metric-gate';

/** Spec of a rollout. */
export type RolloutSpec = PlatformManifest<'PlatformRollout'>['spec'];
/** Status of a rollout. */
export type RolloutStatus = Status<'PlatformRollout'>;
/** A workload that was released and is not ready at its revision yet. */
export type Transit = NonNullable<RolloutStatus['transit']>[number];

/** A workload that a rollout moves or has moved. */
export interface RolloutWorkload extends Omit<WaveMember, 'wasUnready'> {
  /** As kind/project/name. */
  readonly key: string;
  /** Time of its creation, RFC 3339. @default - before the rollout */
  readonly created?: string | undefined;
  /** Number of its pods, at least 1. */
  readonly pods: number;
  /** Revision that the rollout moves it to. */
  readonly target: string;
  /** Whether its status says that its objects follow the target. */
  readonly isMoved: boolean;
  /** Whether everything that runs follows its status: observed, and of the newest template. */
  readonly isSettled: boolean;
  readonly isReady: boolean;
  /** Time since which it is not ready, RFC 3339. @default - unknown, or it is ready */
  readonly unreadySince?: string | undefined;
  /** Why its newest pods fail by themselves, rather than for a lack of nodes or quota. @default - they do not */
  readonly failure?: string | undefined;
  /** Why it cannot move now. @default - it can */
  readonly blocked?: string | undefined;
  /** Classes of the impact of its move. @default - it has moved, cannot move, or no approval is required */
  readonly impact?: readonly string[] | undefined;
}

/** A workload whose pods change, as far as it counts for a budget. */
export type WorkloadInMotion = Pick<RolloutWorkload, 'uid' | 'project' | 'pods'>;

/** An unready workload, as far as it counts for the budget of its tier. */
export type UnreadyWorkload = Pick<RolloutWorkload, 'uid' | 'key' | 'tier' | 'created' | 'unreadySince'>;

/** What a rollout depends on besides its workloads. */
export interface RolloutConditions {
  /** Why the canary does not permit releases. @default - it does */
  readonly canaryHold?: string | undefined;
  /** Name of the freeze in force. @default - none */
  readonly freeze?: string | undefined;
  /** Digest of the impact that must be approved. @default - none must */
  readonly impact?: string | undefined;
  /** What the metric gates say. @default - there are none */
  readonly metrics?: MetricVerdict | undefined;
  /** Unready workloads, those included that the rollout does not move. @default - there are none */
  readonly unready?: readonly UnreadyWorkload[];
  /** Workloads that other rollouts have released and whose pods still change. @default - there are none */
  readonly inMotion?: readonly WorkloadInMotion[];
  /** Rollout of the Platform in progress that a rollout of a Project waits for. @default - there is none, or it is one itself */
  readonly precedence?: string | undefined;
  /** Whether the Platform, or the Project of the rollout, has another current revision than that of the rollout. */
  readonly isSuperseded: boolean;
}
