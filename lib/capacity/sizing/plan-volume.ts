import { type Reason } from '../plan/figure';
import { type PlannedName, type ValueOf } from '../plan/planned-values';
import { type PlanValues } from '../plan/plan-values';

const GiB = 1024 ** 3;

/** What etcd advises as the most. */
export const advisedQuotaBytes = 8 * GiB;
/** A file holds free pages beside what is in use: 1.1 to 1.5 times as much. */
export const fileFactor = 1.25;
/** The same at its upper end, for a storm. */
export const stormFileFactor = 1.5;
/** Nodes above which the tail of fsync decides, so that volumes are io2. */
const io2Above = 3000;

/** Bytes of revisions that etcd holds between two compactions: history reaches back one to two intervals. */
export const historyBytes = (bytesPerSecond: number, intervalSeconds: number): number =>
  bytesPerSecond * 2 * intervalSeconds;

/** What a volume is bought for. */
export interface DiskLoad {
  readonly writes: number;
  readonly bytesPerSecond: number;
  readonly nodes: number;
}

/** What a volume is bought with, and what of it is really asked for: together they pass one machine's link to EBS. */
export interface VolumePlan {
  readonly quotaBytes: number;
  readonly requiredIops: number;
  readonly requiredMBps: number;
}

/** A database beside the main one. */
export interface SeparateEtcdPlan extends VolumePlan {
  /** Whether it is made at all; its contents are in the main one otherwise. */
  readonly isSeparate: boolean;
  readonly fileBytes: number;
  readonly stormFileBytes: number;
}

/** Plans quota and volume of one etcd; io2 has its throughput from its IOPS, so that the figure is bought for gp3 only. */
export function planVolume(
  name: 'etcd' | 'eventsEtcd' | 'leasesEtcd',
  figures: PlanValues,
  { writes, bytesPerSecond, nodes }: DiskLoad,
): VolumePlan {
  const put = <Part extends 'QuotaBytes' | 'VolumeGib' | 'VolumeType' | 'Iops' | 'ThroughputMBps'>(
    part: Part,
    value: ValueOf<`${typeof name}${Part}`>,
    reason: Reason,
  ) => figures.plan<PlannedName>(`${name}${part}`, value, reason);
  const quotaBytes = put('QuotaBytes', advisedQuotaBytes, {
    formula: 'the most that etcd advises, for every size of cluster: an unused quota costs nothing',
    inputs: {},
    source: 'server/storage/quota.go: 2 GiB unless set, 8 GiB advised as the most',
  }) as number;
  const iops = put('Iops', Math.max(3000, Math.ceil((5 * writes) / 100) * 100), {
    formula: '5 for each write of a storm, at least what gp3 has anyway',
    inputs: { writes: Math.round(writes) },
    source: 'control-plane formula; 10,000 at 5,000 nodes (kops), 500 sequential for a heavy load (etcd hardware.md)',
  }) as number;
  const throughput = Math.max(125, Math.ceil((4 * bytesPerSecond) / 1e6 / 5) * 5);
  put('ThroughputMBps', throughput, {
    formula: '4 times the bytes written in a storm: log, database and snapshots, with room; at least 125',
    inputs: { bytesPerSecond: Math.round(bytesPerSecond) },
    source: 'ours; gp3 has 125 MB/s; etcd hardware.md asks for 56 to 250',
  });
  const needed = Math.max(20, Math.ceil((3 * quotaBytes) / GiB), Math.ceil(iops / 500));
  put('VolumeGib', needed, {
    formula:
      'three quotas (database, its copy while defragmented, snapshots and log), and a GiB for each 500 IOPS; at least 20',
    inputs: { quotaBytes, iops },
    source: 'kops: 20 GB, 120 GB at 5,000 nodes; 500 IOPS for each GiB of gp3 and io2',
  });
  const kind =
    nodes > io2Above || iops > 16_000 || throughput > Math.min(1000, Math.max(3000, iops) / 4) ? 'io2' : 'gp3';
  put('VolumeType', kind, {
    formula: `io2 above ${io2Above} nodes or 16,000 IOPS, or more throughput than gp3 has; for the tail of fsync, which bounds commits one after the other`,
    inputs: { nodes, iops },
    source: 'kops: gp3 by default, io2 at 5,000 nodes',
  });
  return { quotaBytes, requiredIops: 5 * writes, requiredMBps: (4 * bytesPerSecond) / 1e6 };
}
