/** Policy of etcd operations. */
export interface EtcdPolicy {
  /** Assumed quota in bytes for members that do not report theirs. */
  readonly quota: number;
  /** Minimum share of the file and minimum number of bytes that a defragmentation must reclaim. */
  readonly minReclaim: { readonly share: number; readonly bytes: number };
  /** Share of the quota that must be free before NOSPACE is disarmed; otherwise it would be raised again immediately. */
  readonly minFree: number;
  /** Maximum log entries that a member may lag behind. */
  readonly lag: number;
  /** Milliseconds that a member may be unhealthy after a step. */
  readonly unhealthyTimeout: number;
  /** Step timeout in milliseconds. */
  readonly stepTimeout: number;
  /** Whether to disarm CORRUPT alarms too. */
  readonly corrupt: boolean;
  /** Revision to compact to. @default - depends on the goal */
  readonly revision?: number;
}

/** Default policy; 2 GiB is etcd's default quota. */
export const defaultEtcdPolicy: EtcdPolicy = {
  quota: 2 * 1024 ** 3,
  minReclaim: { share: 0.1, bytes: 1024 ** 2 },
  minFree: 0.05,
  lag: 1000,
  unhealthyTimeout: 120_000,
  stepTimeout: 900_000,
  corrupt: false,
};
