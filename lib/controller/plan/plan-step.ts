import { type KubernetesObject } from '../../expand';
import { type LiveObject, type ManagedFields, type OwnerReference } from '../../kube';
import { type Child, type Observed } from '../observed/child';
import { type Charge } from '../reasons';

/** One request that brings the cluster nearer to the desired state. */
export type PlanStep =
  | {
      readonly do: 'apply';
      /** With owner reference and our annotations. */
      readonly object: KubernetesObject;
      /** The live object that it changes; undefined where it is created, and then it is applied without force. */
      readonly over?: Child;
      /** Why, for the log and the event: `created`, `changed`, `drifted`, `adopted`. */
      readonly why: 'created' | 'changed' | 'drifted' | 'adopted';
      /**
       * Managed fields that are written to `over` first, by a patch that holds for its version: those who deployed it
       * natively release what they own. The apply then goes out over the version that the patch made.
       */
      readonly release?: readonly ManagedFields[];
    }
  | {
      readonly do: 'delete';
      readonly target: Child;
      readonly propagation: 'Background' | 'Foreground' | 'Orphan';
      readonly why: 'unwanted' | 'replaced';
    };

/** Issue that no retry resolves: it is reported in status, with the remedy. */
export type BlockingIssue = Charge<
  'NameConflict' | 'DestructiveChangeBlocked' | 'SelectorMismatch' | 'VolumeExpansionUnsupported' | 'GangPending'
> & {
  /** Object that it is about. */
  readonly kind: string;
  readonly name: string;
  /** What is the matter and what to do, one or two sentences. */
  readonly message: string;
};

/** A child that matches its desired object, whose hash this is. */
export interface SettledChild {
  readonly child: Child;
  readonly hash: string;
}

/** What is to be done in one pass. */
export interface ReconcilePlan {
  /** Children that already match what is desired. @default - none */
  readonly settled?: readonly SettledChild[];
  /** In order; one that follows may rely on those before it. */
  readonly steps: readonly PlanStep[];
  readonly blockingIssues: readonly BlockingIssue[];
  /** Steps that had to wait until others are applied out and seen: another pass follows of itself when the cluster changes. */
  readonly waits: boolean;
  /** Objects whose deletion it waits for; the deletion of one without an owner triggers no reconcile by itself. @default - none */
  readonly awaited?: readonly { readonly kind: string; readonly name: string }[];
  /** Milliseconds after which to plan again although no watched object changed. */
  readonly requeueAfter?: number;
}

/** What a plan reads of earlier reconciles. */
export interface AppliedLookup {
  /** Returns whether a child is known to match its desired object, by the object's hash. */
  isSettled(child: Child, hash: string): boolean;
  /** Returns why the API server rejected an object, if it did. */
  rejectionOf(object: KubernetesObject): string | undefined;
}

/** Input of a plan. */
export interface PlanInput {
  /** The custom resource; it becomes the controlling owner of every child but those in `unowned`. */
  readonly owner: OwnerReference;
  readonly namespace: string;
  /** In the order in which they are applied. */
  readonly desired: readonly KubernetesObject[];
  /** Children that outlive the custom resource (claims that are retained): applied without an owner reference, as `Kind/name`. */
  readonly unowned?: ReadonlySet<string>;
  /** Objects of `desired` that stay exactly as they live, as `Kind/name`: nothing is applied to them, and they are not left over. */
  readonly untouched?: ReadonlySet<string>;
  readonly observed: Observed;
  /** `spec.adopt`: take over natively deployed objects of the same names. */
  readonly adopt: boolean;
  /** `spec.allowLoss`. */
  readonly allowLoss: ReadonlySet<'Claims' | 'Progress'>;
  /** Reads a live object in full, managed fields included, where the plan needs more than the cache keeps; undefined while it is not read yet. */
  readonly full?: (kind: string, name: string) => LiveObject | undefined;
  /** Whether older pods may still refer to a ConfigMap that is no longer desired. @default - until every rollout is over */
  readonly inUse?: (kind: string, name: string) => boolean;
  /** What earlier reconciles of the same custom resource found out. @default - nothing */
  readonly appliedCache?: AppliedLookup;
}
