/** What one member of an etcd says of itself. */
export interface EtcdMember {
  /** Number of the member, in decimals: it does not fit into a number. */
  readonly id: string;
  readonly name: string;
  /** Where it was asked. */
  readonly url: string;
  /** Why it is not healthy, as a clause; numbers are then those that it last gave, or 0. */
  readonly unhealthyReason?: string;
  readonly version: string;
  /** Bytes of its database file, what of it is in use, and what `--quota-backend-bytes` allows; etcd 3.5 does not tell the last. */
  readonly size: number;
  readonly inUse: number;
  readonly quota?: number;
  readonly revision: number;
  /** Member that it follows or is; empty where it knows none. */
  readonly leader: string;
  /** Last entry of the log that it knows to be committed, and that it has carried out. */
  readonly committed: number;
  readonly applied: number;
  readonly learner: boolean;
}

/** Alarms that etcd has: no space left within its quota, and members whose contents differ. */
export type EtcdAlarmKind = 'NOSPACE' | 'CORRUPT';

/** An alarm; it stays until somebody takes it back. */
export interface EtcdAlarm {
  readonly member: string;
  readonly kind: EtcdAlarmKind;
}

/** All members of an etcd at one moment. */
export interface EtcdObserved {
  readonly members: readonly EtcdMember[];
  readonly alarms: readonly EtcdAlarm[];
  /** The newest revision. */
  readonly revision: number;
  /** Revision that was last compacted to; 0 where none was. */
  readonly compacted: number;
  /** Revision at which the API server last compacted, and to which it will next; absent where no API server did. */
  readonly noted?: number;
}

/** Whether a member leads. */
export const isLeader = ({ id, leader }: EtcdMember): boolean => leader === id;

/** What defragmentation gives back of a member, in bytes. */
export const givesBack = ({ size, inUse }: EtcdMember): number => Math.max(0, size - inUse);
