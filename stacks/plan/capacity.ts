import { type AutoscalerBounds } from 'pinion';
import { type EtcdName } from './ports';

/** The volume that each member of one database has. */
export interface EtcdVolumeSize {
  readonly etcd: EtcdName;
  readonly gib: number;
  readonly type: 'gp3' | 'io2';
  readonly iops: number;
  readonly throughputMbps: number;
}

/** Size of one Auto Scaling group of workers over all zones. */
export interface NodeGroupSize {
  readonly pool: string;
  readonly kind: 'general' | 'memory' | 'accelerator' | 'spot';
  /** All of one size: the autoscaler takes the nodes of a group for equal. */
  readonly instanceTypes: readonly string[];
  readonly min: number;
  readonly desired: number;
  readonly max: number;
  readonly maxPods: number;
  readonly rootGib: number;
}

/** What the stack needs of a capacity plan: sizes and counts. */
export interface ClusterCapacity {
  /** What the cluster autoscaler is held to. */
  readonly autoscaler: AutoscalerBounds;
  readonly masters: number;
  readonly masterInstanceType: string;
  readonly masterRootGib: number;
  /** Main and events, and leases where they have their own. */
  readonly etcd: readonly EtcdVolumeSize[];
  readonly nodeGroups: readonly NodeGroupSize[];
}

/** Most machines that the cluster grows to, masters among them. */
export const mostNodes = ({ masters, nodeGroups }: ClusterCapacity): number =>
  nodeGroups.reduce((sum, { max }) => sum + max, masters);
