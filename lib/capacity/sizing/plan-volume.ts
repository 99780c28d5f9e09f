import { type Reason } from '../plan/figure';
import { type PlannedName, type ValueOf } from '../plan/planned-values';
import { type PlanValues } from '../plan/plan-values';

const GiB = 1024 ** 3;

/** Maximum quota that etcd recommends. */
export const advisedQuotaBytes = 8 * GiB;
/** Ratio of file to data in use: a file holds free pages, 1.1 to 1.5 times. */
export const fileFactor = 1.25;
/** The same ratio at its upper end, for a storm. */
export const stormFileFactor = 1.5;
/** Nodes above which the tail of fsync decides, so volumes are io2. */
const io2Above = 3000;

/** Returns the bytes of revisions between two compactions: history covers one to two intervals. */
export const historyBytes = (bytesPerSecond: number, intervalSeconds: number): number =>
  bytesPerSecond * 2 * intervalSeconds;

/** Demand on a volume. */
export interface DiskLoad {
  readonly writes: number;
  readonly bytesPerSecond: number;
  readonly nodes: number;
}

/** Provisioned and demanded performance of a volume; all volumes share one machine's link to EBS. */
export interface VolumePlan {
  readonly quotaBytes: number;
  readonly requiredIops: number;
  readonly requiredMBps: number;
}

/** A database other than the main one. */
export interface SeparateEtcdPlan extends VolumePlan {
  /** Whether it is created; otherwise its contents are in the main one. */
  readonly isSeparate: boolean;
  readonly fileBytes: number;
  readonly stormFileBytes: number;
}

/** Plans quota and volume of one etcd; the throughput of io2 follows from its IOPS, so it is provisioned for gp3 only. */
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
    formula: 'the maximum that etcd recommends, for every size of cluster: an unused quota costs nothing',
    inputs: {},
    source: 'server/storage/quota.go: 2 GiB unless set, 8 GiB recommended at most',
  }) as number;
  const iops = put('Iops', Math.max(3000, Math.ceil((5 * writes) / 100) * 100), {
    formula: '5 per write of a storm, at least the baseline of gp3',
    inputs: { writes: Math.round(writes) },
    source: 'control-plane formula; 10,000 at 5,000 nodes (kops), 500 sequential for a heavy load (etcd hardware.md)',
  }) as number;
  const throughput = Math.max(125, Math.ceil((4 * bytesPerSecond) / 1e6 / 5) * 5);
  put('ThroughputMBps', throughput, {
    formula: '4 times the bytes written in a storm: log, database, snapshots and reserve; at least 125',
    inputs: { bytesPerSecond: Math.round(bytesPerSecond) },
    source: 'estimate; gp3 has 125 MB/s; etcd hardware.md recommends 56 to 250',
  });
  const needed = Math.max(20, Math.ceil((3 * quotaBytes) / GiB), Math.ceil(iops / 500));
  put('VolumeGib', needed, {
    formula:
      'three quotas (database, its copy during defragmentation, snapshots and log), and a GiB per 500 IOPS; at least 20',
    inputs: { quotaBytes, iops },
    source: 'kops: 20 GB, 120 GB at 5,000 nodes; 500 IOPS per GiB of gp3 and io2',
  });
  const kind =
    nodes > io2Above || iops > 16_000 || throughput > Math.min(1000, Math.max(3000, iops) / 4) ? 'io2' : 'gp3';
  put('VolumeType', kind, {
    formula: `io2 above ${io2Above} nodes or 16,000 IOPS, or more throughput than gp3 has; for the tail of fsync, which bounds commits one after the other`,
    inputs: { nodes, iops },
    source: 'estimate; kops uses gp3 by default, io2 at 5,000 nodes',
  });
  return { quotaBytes, requiredIops: 5 * writes, requiredMBps: (4 * bytesPerSecond) / 1e6 };
}
