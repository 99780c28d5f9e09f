import { type PinionKind, type Problem, type Status, type Workload, type WorkloadKind } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type ApiError } from '../../kube';
import { type Observed } from '../observed/child';
import { type RunRecord } from '../run/run-plan';
import { type ReconcilePlan } from '../plan/plan-step';
import { type CreationFailure, type PodFacts } from '../observed/pod-facts';

/** Input of the report on a workload; pure, so that every sentence can be tested. */
export interface ReportInput<K extends WorkloadKind = WorkloadKind> {
  readonly kind: K;
  readonly name: string;
  readonly namespace: string;
  readonly generation: number;
  readonly previous: Partial<Status<K>> | undefined;
  /** The workload, or why it is none. */
  readonly workload: Workload<K> | undefined;
  readonly problems: readonly Problem[];
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly pods: readonly PodFacts[];
  readonly failures: readonly CreationFailure[];
  readonly plan: ReconcilePlan | undefined;
  /** Requests of this pass that the API server refused. */
  readonly rejected: readonly { readonly kind: string; readonly name: string; readonly error: ApiError }[];
  readonly record: RunRecord | undefined;
  /** Whether the Platform makes the workload for itself: then what is wrong with it is the platform's affair. @default - no */
  readonly ofPlatform?: boolean;
  /** Hash of the spec without its number of pods, as `previous.deployedSpecHash` has it of the one before. @default - unknown */
  readonly deployed?: string;
  /** RuntimeProfile that its pods are made with. */
  readonly profile: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Something worth an Event. */
export interface EventDraft {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Status and Events of a resource. */
export interface Report<K extends PinionKind = PinionKind> {
  /** Equal in content to the previous one where nothing changed; then it is not written. */
  readonly status: Status<K>;
  /** Once for each change: derived from the difference to the previous status. */
  readonly events: readonly EventDraft[];
  /** Milliseconds after which time alone makes it another report: a pod that is starting becomes one that does not get ready. */
  readonly requeueAfter?: number;
}
