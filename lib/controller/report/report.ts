import { type PinionKind, type Problem, type Status, type Workload, type WorkloadKind } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type ApiError } from '../../client';
import { type Observed } from '../observed/child';
import { type RunRecord } from '../run/run-plan';
import { type HookPlan } from '../hooks/hook-plan';
import { type ReconcilePlan } from '../plan/plan-step';
import { type Verification } from '../verification/verification';
import { type SharedRoute } from '../observed/shared-routes';
import { type CreationFailure, type PodFacts } from '../observed/pod-facts';

/** Input of the report on a workload; pure, so that every message can be tested. */
export interface ReportInput<K extends WorkloadKind = WorkloadKind> {
  readonly kind: K;
  readonly name: string;
  readonly namespace: string;
  readonly generation: number;
  readonly previous: Partial<Status<K>> | undefined;
  /** Parsed workload; undefined if it has problems. */
  readonly workload: Workload<K> | undefined;
  readonly problems: readonly Problem[];
  /** @default - the project is not protected */
  readonly verification?: Verification;
  /** Routes that other workloads have, too. @default - none */
  readonly shared?: readonly SharedRoute[];
  /** Time since which its objects stay as they are because the library alone would change its pods, RFC 3339. @default - they follow it */
  readonly heldSince?: string | undefined;
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly pods: readonly PodFacts[];
  readonly failures: readonly CreationFailure[];
  readonly plan: ReconcilePlan | undefined;
  /** Requests of this reconcile that the API server rejected. */
  readonly rejected: readonly { readonly kind: string; readonly name: string; readonly error: ApiError }[];
  readonly record: RunRecord | undefined;
  /** @default - it has no hooks */
  readonly hookPlan?: HookPlan;
  /** Whether the Platform created the workload, so that the platform team owns its problems. @default - no */
  readonly ownedByPlatform?: boolean;
  /**
   * Hash of the spec without its number of pods; `previous.deployedSpecHash` is the previous hash.
   * @default - unknown
   */
  readonly deployed?: string | undefined;
  /** RuntimeProfile of its pods. */
  readonly profile: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Draft of an Event. */
export interface EventDraft {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Status and Events of a resource. */
export interface Report<K extends PinionKind = PinionKind> {
  /** Deeply equal to the previous one if nothing changed; then it is not written. */
  readonly status: Status<K>;
  /** Once for each change, derived from the difference to the previous status. */
  readonly events: readonly EventDraft[];
  /** Milliseconds after which the report changes without an event, such as for a pod that takes too long to start. */
  readonly requeueAfter?: number;
}
