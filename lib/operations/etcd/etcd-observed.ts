/** State of an etcd member, as reported by the member itself. */
export interface EtcdMember {
  /** Decimal member ID, which does not fit into a number. */
  readonly id: string;
  readonly name: string;
  /** URL of the request. */
  readonly url: string;
  /** Why it is unhealthy, as a clause; the numbers are then the last known, or 0. */
  readonly unhealthyReason?: string;
  readonly version: string;
  /** Bytes of its database file, bytes in use, and `--quota-backend-bytes`, which etcd 3.5 does not report. */
  readonly size: number;
  readonly inUse: number;
  readonly quota?: number;
  readonly revision: number;
  /** ID of the leader; empty if unknown. */
  readonly leader: string;
  /** Index of the last committed and the last applied log entry. */
  readonly committed: number;
  readonly applied: number;
  readonly learner: boolean;
}

/** Kind of an etcd alarm: quota exceeded, or data that differs between members. */
export type EtcdAlarmKind = 'NOSPACE' | 'CORRUPT';

/** Alarm, active until it is disarmed. */
export interface EtcdAlarm {
  readonly member: string;
  readonly kind: EtcdAlarmKind;
}

/** Observed state of an etcd cluster. */
export interface EtcdObserved {
  readonly members: readonly EtcdMember[];
  readonly alarms: readonly EtcdAlarm[];
  /** Latest revision. */
  readonly revision: number;
  /** Last compacted revision; 0 if there is none. */
  readonly compacted: number;
  /** Revision of the API server's last compaction, which its next one compacts to. @default - no API server compacted */
  readonly lastApiServerCompaction?: number;
}

/** Returns whether a member is the leader. */
export const isLeader = ({ id, leader }: EtcdMember): boolean => leader === id;

/** Returns the bytes that defragmentation of a member reclaims. */
export const reclaimableBytes = ({ size, inUse }: EtcdMember): number => Math.max(0, size - inUse);
