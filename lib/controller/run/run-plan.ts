import { type PodSpec, type RunKind, type Workload } from '../../api';
import { type KubernetesObject, type NodeOffer } from '../../expand';
import { type BlockingIssue } from '../plan/plan-step';
import { type Observed } from '../observed/child';
import { type PodFacts } from '../observed/pod-facts';

/** Progress of a run: kept in its status, so that a new leader continues where the last one stopped. */
export interface RunRecord {
  /** Number of restarts. */
  readonly restarts: number;
  /** Hash of the work of this run, computed from the spec alone; another hash is another run. */
  readonly run?: string;
  /** Indexes that are over, as Kubernetes writes a set of them: `0,2-4`; of shards, or of members by role. */
  readonly succeeded: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, string>>;
  /** When it started and ended, as ISO 8601. */
  readonly started?: string;
  readonly ended?: string;
  readonly outcome?: 'Succeeded' | 'Failed';
  readonly outcomeReason?: string;
  readonly outcomeMessage?: string;
  /** Gang: waiting for capacity, starting, or started; and since when, as ISO 8601. */
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

/** Members of a gang that are alike, and what each of them needs of a node. */
export interface MemberNeed {
  /** Job that they belong to. */
  readonly job: string;
  readonly count: number;
  /** Whether they are required for progress, so that they are placed before the others. */
  readonly leader: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
  /** What the scheduler counts for one of them, in the numbers of `PodFacts.requests`. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Capacity that is reserved for a gang. */
export interface GangClaim {
  /** When it was made, as ISO 8601: `gang.since` of the record. */
  readonly since: string;
  /** Its members may be on their way to nodes already; else it is to be looked at once more before anybody starts. */
  readonly firm: boolean;
  /** Those that have no node yet. */
  readonly members: readonly MemberNeed[];
}

/** Input of a run plan. */
export interface RunInput {
  readonly workload: Workload<RunKind>;
  /** What expand gives. */
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly pods: readonly PodFacts[];
  readonly record: RunRecord;
  /** Whether the scheduler itself knows gangs. */
  readonly schedulerKnowsGangs: boolean;
  /**
   * Free nodes of the cluster, less what other gangs claim (`unclaimedNodes`); called only where a gang waits or is about to start.
   *
   * While a gang whose status says `waiting` or `starting` has not had a pass since the process began, its claim is not
   * known, and neither is the capacity.
   */
  readonly freeNodes: () => readonly FreeNode[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What conducting came to. */
export interface RunPlan {
  /** Desired objects: Jobs that run, are suspended, or are omitted so that the plan deletes them. */
  readonly desired: readonly KubernetesObject[];
  /** Record after this pass; written with the status. */
  readonly record: RunRecord;
  /** The record is to be written, and seen again, before anything else of this pass is done: a run, a restart, an outcome or the start of a gang begins with it. */
  readonly writeFirst: boolean;
  /** Objects, as `Kind/name`, that stay exactly as they are, so that a plan may pass them over; `desired` has them as they live. */
  readonly untouched?: ReadonlySet<string>;
  /** Capacity that is reserved for this gang: it starts, and not all of its members have a node yet. */
  readonly claim?: GangClaim;
  /** Pods to delete: those that a clean-up policy removes. */
  readonly pods: readonly PodFacts[];
  /** The custom resource itself is to be deleted: its time to be looked at is over. */
  readonly expired: boolean;
  /** Milliseconds after which to look again, where time alone changes something. */
  readonly requeueAfter?: number;
  readonly blockingIssues: readonly BlockingIssue[];
}
