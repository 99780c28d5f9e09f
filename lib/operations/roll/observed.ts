import { type LiveObject } from '../../kube';
import { type MachineGroup } from './machines';

/** One member of one database, as its own machine tells it. */
export interface DatabaseHealth {
  readonly database: string;
  /** Why it cannot be counted on, such as `RAFT NO LEADER`; absent where it is healthy. */
  readonly illness?: string;
  /** Alarms that it knows of, such as `NOSPACE`. */
  readonly alarms: readonly string[];
  /** A learner has no vote yet. */
  readonly learner: boolean;
  readonly leader: boolean;
  /** Last entry of the log that it knows to be agreed on, and that it has taken in. */
  readonly committed: number;
  readonly applied: number;
}

/** One master, as it tells itself. */
export interface MasterHealth {
  readonly member: string;
  /** Why its API server is not ready; absent where it is. */
  readonly illness?: string;
  /** Version of its API server; absent where it does not answer. */
  readonly version?: string;
  readonly databases: readonly DatabaseHealth[];
  /** Since when it is seen ill without a break, in milliseconds since 1970. @default - it is not */
  readonly illSince?: number;
}

/** Why a machine is to be replaced; empty for one that stays. */
export type Reasons = readonly string[];

/** All that a step of a roll is decided from, seen at one moment. */
export interface RollObserved {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly groups: readonly MachineGroup[];
  readonly masters: readonly MasterHealth[];
  /** Why each machine is to be replaced, by its id; absent for those that stay. */
  readonly outdated: ReadonlyMap<string, Reasons>;
  /** Nodes by the id of their machine. */
  readonly nodes: ReadonlyMap<string, LiveObject>;
  /** Pods of the nodes that are being drained, by the name of the node. Nodes that are not drained may be left out. */
  readonly pods: ReadonlyMap<string, readonly LiveObject[]>;
  /** Since when groups have fewer machines than they should, without a break, in milliseconds since 1970. */
  readonly shortSince: ReadonlyMap<string, number>;
  /** Why groups could not start or end machines the last time, by their names. */
  readonly failures: ReadonlyMap<string, string>;
}
