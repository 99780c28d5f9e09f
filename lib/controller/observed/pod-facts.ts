/** Cached fields of a pod; all others are dropped before it is stored. */
export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deleting: boolean;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Workload that it belongs to, from its labels. */
  readonly workload?: { readonly kind: string; readonly label: string };
  /** Hook before a deployment that it runs, from its label. @default - it runs the app */
  readonly hook?: string;
  /** Shard or role, from its label. */
  readonly member?: string;
  /** Index in its Indexed Job. */
  readonly index?: number;
  /** Controlling owner, such as a ReplicaSet or a Job. */
  readonly controller?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Revision of its template, from the label that its ReplicaSet, StatefulSet or DaemonSet sets. */
  readonly revision?: string;
  readonly node?: string;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly ready: boolean;
  /** The scheduler's message, if the pod has no node yet. */
  readonly unschedulable?: string;
  /** `status.reason` of the pod, such as `Evicted`. */
  readonly reason?: string;
  readonly message?: string;
  /** Unhealthy containers only: waiting with a reason, terminated with an error, or restarted. */
  readonly containerIssues: readonly ContainerIssue[];
  /** Running containers that are not ready. */
  readonly unready?: readonly string[];
  /** Requests as counted by the scheduler, as whole numbers: CPU in millicores, memory and others in bytes or units. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Unhealthy container. */
export interface ContainerIssue {
  readonly container: string;
  /** `sidecar` for an init container with restartPolicy Always. */
  readonly role: 'app' | 'init' | 'sidecar';
  readonly restarts: number;
  /** Waiting reason, such as `CrashLoopBackOff` or `ImagePullBackOff`. */
  readonly waiting?: string;
  readonly message?: string;
  /** Last termination. */
  readonly exit?: {
    readonly code: number;
    readonly reason?: string;
    readonly signal?: number;
    /** Milliseconds since 1970. */
    readonly at?: number;
  };
  readonly image?: string;
}

/** Failure of an object to create its pods, from a `FailedCreate` event. */
export interface CreationFailure {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly last: number;
}
