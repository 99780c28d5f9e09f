/** What the controller keeps of a pod; everything else is dropped before it is stored. */
export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deleting: boolean;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Workload that it belongs to, by its labels. */
  readonly workload?: { readonly kind: string; readonly label: string };
  /** Shard or role by its label. */
  readonly member?: string;
  /** Index in its Indexed Job. */
  readonly index?: number;
  /** Owner that manages it, such as a ReplicaSet or a Job. */
  readonly controller?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Version of its template, by the label that its ReplicaSet, StatefulSet or DaemonSet gives it. */
  readonly revision?: string;
  readonly node?: string;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly ready: boolean;
  /** Why it has no node yet, in the scheduler's words. */
  readonly unschedulable?: string;
  /** Reason of the pod as a whole, such as `Evicted`. */
  readonly reason?: string;
  readonly message?: string;
  /** Unhealthy containers only: waiting with a reason, terminated with an error, or restarted. */
  readonly troubles: readonly ContainerTrouble[];
  /** Containers that run and are not ready. */
  readonly unready?: readonly string[];
  /** What the scheduler counts for it, as whole numbers: CPU in millicores, memory and others in bytes or units. */
  readonly requests: Readonly<Record<string, number>>;
}

/** A container that is not well. */
export interface ContainerTrouble {
  readonly container: string;
  /** `sidecar` for an init container that is always restarted. */
  readonly role: 'app' | 'init' | 'sidecar';
  readonly restarts: number;
  /** Reason why it waits, such as `CrashLoopBackOff` or `ImagePullBackOff`. */
  readonly waiting?: string;
  readonly message?: string;
  /** How it ended the last time. */
  readonly exit?: {
    readonly code: number;
    readonly reason?: string;
    readonly signal?: number;
    /** Milliseconds since 1970. */
    readonly at?: number;
  };
  readonly image?: string;
}

/** Says that an object could not make its pods, from an Event `FailedCreate`. */
export interface CreationFailure {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly last: number;
}
