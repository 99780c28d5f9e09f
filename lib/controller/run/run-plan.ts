import { type PodSpec, type RunKind, type Workload } from '../../api';
import { type KubernetesObject, type NodeOffer } from '../../expand';
import { type BlockingIssue } from '../plan/plan-step';
import { type Observed } from '../observed/child';
import { type PodFacts } from '../observed/pod-facts';

/** Progress of a run, kept in its status so that a new leader continues where the previous one stopped. */
export interface RunRecord {
  /** Number of restarts. */
  readonly restarts: number;
  /** Number of those restarts that do not count towards the maximum. @default 0 */
  readonly uncountedRestarts?: number;
  /** Failure that caused the last restart. */
  readonly restartCause?: string;
  /** Jobs of a set that must be ready before others start that have not started. @default - none */
  readonly awaited?: readonly string[];
  /** Hash of the work of this run, computed from the spec alone; another hash is another run. */
  readonly run?: string;
  /** Finished indexes in the Kubernetes notation `0,2-4`; of shards, or of members by role. */
  readonly succeeded: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, string>>;
  /** Start and end, RFC 3339. */
  readonly started?: string;
  readonly ended?: string;
  readonly outcome?: 'Succeeded' | 'Failed';
  readonly outcomeReason?: string;
  readonly outcomeMessage?: string;
  /** Gang: waiting for capacity, starting, or started; and since when, RFC 3339. */
  readonly gang?: {
    readonly phase: 'Waiting' | 'Starting' | 'Started';
    readonly since: string;
    readonly attempts: number;
  };
}

/** Free capacity of one node, in the units of `PodFacts.requests`, `pods` included. */
export interface FreeNode extends NodeOffer {
  readonly free: Readonly<Record<string, number>>;
}

/** Identical members of a gang, and the scheduling requirements of each. */
export interface MemberNeed {
  /** Job of the members. */
  readonly job: string;
  readonly count: number;
  /** Whether they are required for progress, so that they are placed before the others. */
  readonly leader: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
  /** Requests of each member as counted by the scheduler, in the units of `PodFacts.requests`. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Capacity that is reserved for a gang. */
export interface GangClaim {
  /** Time of the claim, RFC 3339: `gang.since` of the record. */
  readonly since: string;
  /**
   * Whether its members may already be about to be scheduled; otherwise it is checked again before any member starts.
   */
  readonly firm: boolean;
  /** Members that are not scheduled yet. */
  readonly members: readonly MemberNeed[];
}

/** Input of a run plan. */
export interface RunInput {
  readonly workload: Workload<RunKind>;
  /** Objects from expand. */
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly pods: readonly PodFacts[];
  readonly record: RunRecord;
  /** Whether the scheduler supports gangs. */
  readonly schedulerSupportsGangs: boolean;
  /**
   * Returns the free nodes of the cluster, minus the claims of other gangs (`unclaimedNodes`); called only if a gang waits
   * or is about to start.
   *
   * While a gang with the status `waiting` or `starting` has not been reconciled since the process started, its claim
   * and so the capacity are unknown.
   */
  readonly freeNodes: () => readonly FreeNode[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Result of planning a run. */
export interface RunPlan {
  /** Desired objects: Jobs that run, are suspended, or are omitted so that the plan deletes them. */
  readonly desired: readonly KubernetesObject[];
  /** Record after this reconcile; written with the status. */
  readonly record: RunRecord;
  /**
   * Whether the record must be written and observed before anything else is done: required for a run, a restart, an
   * outcome, or the start of a gang.
   */
  readonly writeFirst: boolean;
  /** Objects, as `Kind/name`, that stay unchanged, so that a plan may skip them; `desired` has their live versions. */
  readonly untouched?: ReadonlySet<string>;
  /** Capacity that is reserved for this gang until all members are scheduled. */
  readonly claim?: GangClaim;
  /** Pods that a clean-up policy deletes. */
  readonly pods: readonly PodFacts[];
  /** Whether the custom resource has exceeded its TTL and must be deleted. */
  readonly expired: boolean;
  /** Requeue delay in milliseconds, if the plan changes without an event. */
  readonly requeueAfter?: number;
  readonly blockingIssues: readonly BlockingIssue[];
}
