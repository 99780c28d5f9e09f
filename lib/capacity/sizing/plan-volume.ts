import { type Reason } from '../plan/figure';
import { type PlannedName, type ValueOf } from '../plan/planned-values';
import { type PlanValues } from '../plan/plan-values';

const GiB = 1024 ** 3;

/** Maximum quota that etcd recommends. */
export const recommendedQuotaBytes = 8 * GiB;
/** Ratio of file size to data in use; 1.1 to 1.5, because a file includes free pages. */
export const fileFactor = 1.25;
/** Ratio of file size to data in use in a storm. */
export const stormFileFactor = 1.5;
/** Nodes above which fsync tail latency is the bottleneck, so volumes are io2. */
const io2Above = 3000;

/** Returns the maximum bytes of old revisions: history spans one to two compaction intervals. */
export const historyBytes = (bytesPerSecond: number, intervalSeconds: number): number =>
  bytesPerSecond * 2 * intervalSeconds;

/** Load on a volume. */
export interface DiskLoad {
  readonly writes: number;
  readonly bytesPerSecond: number;
  readonly nodes: number;
}

/** Quota of a database, and the performance that its volume needs; all volumes of a node share its EBS bandwidth. */
export interface VolumePlan {
  readonly quotaBytes: number;
  readonly requiredIops: number;
  readonly requiredMBps: number;
}

/** Plan of a database other than the main one. */
export interface SeparateEtcdPlan extends VolumePlan {
  /** Whether it is created; otherwise its data is in the main database. */
  readonly isSeparate: boolean;
  readonly fileBytes: number;
  readonly stormFileBytes: number;
}

/** Plans quota and volume of one etcd. Throughput is provisioned for gp3 only; that of io2 follows from its IOPS. */
export function planVolume(
  name: 'etcd' | 'eventsEtcd' | 'leasesEtcd',
  figures: PlanValues,
  { writes, bytesPerSecond, nodes }: DiskLoad,
): VolumePlan {
  const plan = <Part extends 'QuotaBytes' | 'VolumeGib' | 'VolumeType' | 'Iops' | 'ThroughputMBps'>(
    part: Part,
    value: ValueOf<`${typeof name}${Part}`>,
    reason: Reason,
  ) => figures.plan<PlannedName>(`${name}${part}`, value, reason);
  const quotaBytes = plan('QuotaBytes', recommendedQuotaBytes, {
    formula: 'the maximum that etcd recommends, regardless of cluster size: an unused quota costs nothing',
    inputs: {},
    source: 'server/storage/quota.go: default 2 GiB, recommended maximum 8 GiB',
  }) as number;
  const iops = plan('Iops', Math.max(3000, Math.ceil((5 * writes) / 100) * 100), {
    formula: '5 per write in a storm, at least the gp3 baseline',
    inputs: { writes: Math.round(writes) },
    source:
      'control-plane formula; 10,000 at 5,000 nodes (kops), 500 sequential IOPS for a heavy load (etcd hardware.md)',
  }) as number;
  const throughput = Math.max(125, Math.ceil((4 * bytesPerSecond) / 1e6 / 5) * 5);
  plan('ThroughputMBps', throughput, {
    formula: '4 times the bytes written in a storm, for log, database, snapshots and reserve; at least 125',
    inputs: { bytesPerSecond: Math.round(bytesPerSecond) },
    source: 'estimate; the gp3 baseline is 125 MB/s; etcd hardware.md recommends 56 to 250',
  });
  const volumeGib = Math.max(20, Math.ceil((3 * quotaBytes) / GiB), Math.ceil(iops / 500));
  plan('VolumeGib', volumeGib, {
    formula:
      'the larger of three quotas (database, its copy during defragmentation, snapshots and log) and 1 GiB per 500 IOPS; at least 20',
    inputs: { quotaBytes, iops },
    source: 'kops: 20 GB, 120 GB at 5,000 nodes; at most 500 IOPS per GiB',
  });
  const volumeType =
    nodes > io2Above || iops > 16_000 || throughput > Math.min(1000, Math.max(3000, iops) / 4) ? 'io2' : 'gp3';
  plan('VolumeType', volumeType, {
    formula: `io2 above ${io2Above} nodes or 16,000 IOPS, or if gp3 lacks the throughput; lower fsync tail latency, which limits sequential commits`,
    inputs: { nodes, iops },
    source: 'estimate; kops uses gp3 by default, io2 at 5,000 nodes',
  });
  return { quotaBytes, requiredIops: 5 * writes, requiredMBps: (4 * bytesPerSecond) / 1e6 };
}
