import { type LiveObject, type OwnerReference } from '../../kube';

/**
 * What the controller keeps of a native object: enough to see that nothing is to be done, and the rest packed away.
 *
 * Objects of others are kept without content: their place and owner are all that matters.
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
  /** The owner that manages it. */
  readonly controller?: OwnerReference;
  /** Workload that it belongs to, by its labels. */
  readonly workload?: { readonly kind: string; readonly label: string };
  /** Value of the label `app.kubernetes.io/managed-by`. */
  readonly managedBy?: string;
  /** Hash of what we applied last, from our annotation. */
  readonly applied?: string;
  /** Run that a Job belongs to, from our annotation. */
  readonly run?: string;
  /** Field managers of an object with other owners, those of its status excluded. */
  readonly managers?: readonly string[];
  /** Of a Deployment or StatefulSet: how many pods it says, and who says so. */
  readonly scale?: ScaleFacts;
  /** Hash of the live content without status, managed fields, versions and our annotations: equal digests are equal contents. */
  readonly digest: string;
  /** `status` without unused fields. */
  readonly status: Readonly<Record<string, unknown>>;
  /** Returns the live object without managed fields and status; unpacked at each call. */
  content(): LiveObject;
}

/** The number of pods of a Deployment or StatefulSet, and who owns it. */
export interface ScaleFacts {
  readonly replicas: number;
  /** Our own apply owns the field. */
  readonly ours: boolean;
  /** Another manager owns it, such as the autoscaler's. */
  readonly others: boolean;
}

/** What there is in the cluster, as one reconcile pass sees it. */
export interface Observed {
  /** Returns an object by kind and name, whatever its owner; in the namespace of the workload by default. */
  child(kind: string, name: string, namespace?: string): Child | undefined;
  /** All that the workload's custom resource owns. */
  readonly owned: readonly Child[];
  /** What an earlier custom resource of the same kind and name owns still. @default - nothing */
  readonly leaving?: readonly Child[];
}
