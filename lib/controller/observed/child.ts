import { type ServedRoute } from '../../expand';
import { type LiveObject, type OwnerReference } from '../../client';

/**
 * Cached native object: what is needed to detect changes; the rest is compressed.
 *
 * Objects of other owners are cached without content: only their name and owner matter.
 */
export interface Child {
  readonly kind: string;
  readonly name: string;
  /** Empty for kinds without a namespace. */
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deleting: boolean;
  /** Controlling owner. */
  readonly controller?: OwnerReference;
  /** Workload that it belongs to, from its labels. */
  readonly workload?: { readonly kind: string; readonly label: string };
  /** Value of the label `app.kubernetes.io/managed-by`. */
  readonly managedBy?: string;
  /** Hash of the last applied object, from pinion's annotation. */
  readonly applied?: string;
  /** Record of the expansion that it was applied from, from pinion's annotation. */
  readonly expansion?: string;
  /** Runtime profile of its pod template, from pinion's annotation. */
  readonly profile?: string;
  /** Run that a Job belongs to, from pinion's annotation. */
  readonly run?: string;
  /** Field managers of an object with other owners, except those of its status. */
  readonly managers?: readonly string[];
  /** Routes of an Ingress of a workload. */
  readonly routes?: readonly ServedRoute[];
  /** `spec.replicas` of a Deployment or StatefulSet, and who owns the field. */
  readonly scale?: ScaleFacts;
  /**
   * Hash of the live content without status, managed fields, versions and pinion's annotations: equal digests mean
   * equal contents.
   */
  readonly digest: string;
  /** Whether the content is too large for the cache, so that `content()` has only the name and a plan reads the object. */
  readonly isPartial?: boolean;
  /** `status` without unused fields. */
  readonly status: Readonly<Record<string, unknown>>;
  /** Returns the live object without managed fields and status; decompresses on each call. */
  content(): LiveObject;
}

/** `spec.replicas` of a Deployment or StatefulSet, and who owns the field. */
export interface ScaleFacts {
  readonly replicas: number;
  /** Whether pinion's apply owns the field. */
  readonly ownedByPinion: boolean;
  /** Whether another manager owns it, such as an autoscaler. */
  readonly ownedByOthers: boolean;
}

/** Observed cluster state of one reconcile. */
export interface Observed {
  /** Returns an object by kind and name, whatever its owner; in the workload's namespace by default. */
  child(kind: string, name: string, namespace?: string): Child | undefined;
  /** Objects that the workload's custom resource owns. */
  readonly owned: readonly Child[];
  /** Objects still owned by an earlier custom resource of the same kind and name. @default - none */
  readonly ownedByPredecessor?: readonly Child[];
}
