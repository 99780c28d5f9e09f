import { type KubernetesObject } from '../../expand';
import { type LiveObject, type ManagedFields, type OwnerReference } from '../../client';
import { type Child, type Observed } from '../observed/child';
import { type ReasonWithOwner } from '../reasons';

/** Request that brings the cluster closer to the desired state. */
export type PlanStep =
  | {
      readonly do: 'apply';
      /** Object with owner reference and pinion's annotations. */
      readonly object: KubernetesObject;
      /** Live object to change; undefined if the object is created, in which case it is applied without force unless its name is reserved. */
      readonly current?: Child;
      /** Reason for the log and the event: `created`, `changed`, `drifted`, `adopted`. */
      readonly reason: 'created' | 'changed' | 'drifted' | 'adopted';
      /**
       * Managed fields to write to `current` first, with its version as precondition: native deployers release the fields
       * that they own. The apply then uses the version from that patch.
       */
      readonly release?: readonly ManagedFields[];
    }
  | {
      readonly do: 'delete';
      readonly target: Child;
      readonly propagation: 'Background' | 'Foreground' | 'Orphan';
      readonly reason: 'unwanted' | 'replaced';
    };

/** Issue that no retry resolves: it is reported in status, with the remedy. */
export type BlockingIssue = ReasonWithOwner<
  'NameConflict' | 'DestructiveChangeBlocked' | 'SelectorMismatch' | 'VolumeExpansionUnsupported' | 'GangPending'
> & {
  /** Kind of the affected object. */
  readonly kind: string;
  readonly name: string;
  /** Problem and remedy, in one or two sentences. */
  readonly message: string;
};

/** Child that matches its desired object, with the object's hash. */
export interface SettledChild {
  readonly child: Child;
  readonly hash: string;
}

/** Plan of one reconcile. */
export interface ReconcilePlan {
  /** Children that already match their desired objects. @default - none */
  readonly settled?: readonly SettledChild[];
  /** Steps in order; later ones may depend on earlier ones. */
  readonly steps: readonly PlanStep[];
  readonly blockingIssues: readonly BlockingIssue[];
  /** Whether steps wait until others are applied and observed: cluster changes trigger the next reconcile. */
  readonly waits: boolean;
  /** Objects whose deletion it waits for; the deletion of one without an owner triggers no reconcile by itself. @default - none */
  readonly awaited?: readonly { readonly kind: string; readonly name: string }[];
  /** Milliseconds after which to plan again although no watched object changed. */
  readonly requeueAfter?: number;
}

/** Read access of a plan to the results of earlier reconciles. */
export interface AppliedLookup {
  /** Returns whether a child is known to match its desired object, by the object's hash. */
  isSettled(child: Child, hash: string): boolean;
  /** Returns why the API server rejected an object, if it did. */
  rejectionOf(object: KubernetesObject): string | undefined;
}

/** Input of a plan. */
export interface PlanInput {
  /** The custom resource; the controlling owner of every child except those in `unowned`. */
  readonly owner: OwnerReference;
  readonly namespace: string;
  /** In the order in which they are applied. */
  readonly desired: readonly KubernetesObject[];
  /** Children that outlive the custom resource (claims that are retained): applied without an owner reference, as `Kind/name`. */
  readonly unowned?: ReadonlySet<string>;
  /** Objects of `desired` that stay unchanged, as `Kind/name`: nothing is applied to them, and they are not pruned. */
  readonly untouched?: ReadonlySet<string>;
  readonly observed: Observed;
  /** `spec.adopt`: adopt natively deployed objects of the same names. */
  readonly adopt: boolean;
  /** `spec.allowLoss`. */
  readonly allowLoss: ReadonlySet<'Claims' | 'Progress'>;
  /**
   * Returns a full live object, including managed fields, if the plan needs more than the cache has; undefined until it
   * has been read.
   */
  readonly full?: (kind: string, name: string) => LiveObject | undefined;
  /**
   * Returns whether older pods may still refer to a ConfigMap that is no longer desired.
   * @default - until every rollout is complete
   */
  readonly inUse?: (kind: string, name: string) => boolean;
  /** Results of earlier reconciles of the same custom resource. @default - none */
  readonly appliedCache?: AppliedLookup;
}
