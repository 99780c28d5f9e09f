import { type DrainPolicy } from '../drain/drain-plan';

/** Limits and timeouts of a roll; durations in milliseconds. */
export interface RollPolicy {
  /** Units to roll: control plane nodes as `control-plane-a`, pools by name. @default - all */
  readonly only?: readonly string[];
  /** Number or percentage of machines of a pool that are replaced at a time. */
  readonly surge: { readonly count: number } | { readonly percent: number };
  /** Whether to terminate old machines before their replacements are ready. */
  readonly inPlace: boolean;
  /** Whether to replace control plane nodes even if etcd loses its quorum meanwhile. */
  readonly acceptOutage: boolean;
  /** How long a new machine may take to become a ready node or a healthy control plane node. */
  readonly machineTimeout: number;
  /** How long a control plane node may be unhealthy without being replaced. */
  readonly unhealthyTimeout: number;
  readonly drain: DrainPolicy;
}

/** Maximum log entries that a member may lag behind; stricter than the 90% that etcd requires to promote a learner. */
export const maxLogLag = 1000;

/** Default policy of a roll. */
export const defaultRollPolicy: RollPolicy = {
  surge: { percent: 10 },
  inPlace: false,
  acceptOutage: false,
  machineTimeout: 20 * 60_000,
  unhealthyTimeout: 5 * 60_000,
  drain: { evict: [], podTimeout: 60 * 60_000, jobTimeout: 24 * 60 * 60_000 },
};
