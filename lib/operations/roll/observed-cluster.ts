import { type LiveObject } from '../../kube';
import { type MachineGroup } from './machines';

/** Health of an etcd member, as reported by the member itself. */
export interface DatabaseHealth {
  readonly database: string;
  /** Why it is unhealthy, such as `RAFT NO LEADER`. @default - healthy */
  readonly unhealthyReason?: string;
  /** Active alarms, such as `NOSPACE`. */
  readonly alarms: readonly string[];
  /** Whether it is a learner, which does not vote. */
  readonly learner: boolean;
  readonly leader: boolean;
  /** Indexes of the last committed and the last applied log entry. */
  readonly committed: number;
  readonly applied: number;
}

/** Health of a control plane node, as reported by the node itself. */
export interface ControlPlaneHealth {
  readonly member: string;
  /** Why its API server is not ready. @default - ready */
  readonly unhealthyReason?: string;
  /** Version of its API server. @default - unknown because it is unreachable */
  readonly version?: string;
  readonly databases: readonly DatabaseHealth[];
  /** Since when it has been unhealthy, in milliseconds since 1970. @default - healthy */
  readonly unhealthySince?: number;
}

/** Reasons why a machine needs replacement; empty if it does not. */
export type ReplacementReasons = readonly string[];

/** State of the cluster that a roll is planned from. */
export interface ObservedCluster {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly groups: readonly MachineGroup[];
  readonly controlPlane: readonly ControlPlaneHealth[];
  /** Reasons for replacement by machine id; up-to-date machines are absent. */
  readonly outdated: ReadonlyMap<string, ReplacementReasons>;
  /** Nodes by machine id. */
  readonly nodes: ReadonlyMap<string, LiveObject>;
  /** Pods by node name, of nodes that are being drained. */
  readonly pods: ReadonlyMap<string, readonly LiveObject[]>;
  /** Since when groups have been below their target size, by group name, in milliseconds since 1970. */
  readonly belowSizeSince: ReadonlyMap<string, number>;
  /** Errors of the last scaling activities, by group name. */
  readonly failures: ReadonlyMap<string, string>;
}
