import { type AutoscalerBounds } from '@pinion-platform/pinion';
import { type EtcdName } from '../network/ports';

/** Volume of each member of an etcd database. */
export interface EtcdVolumeSize {
  readonly etcd: EtcdName;
  readonly gib: number;
  readonly type: 'gp3' | 'io2';
  readonly iops: number;
  readonly throughputMBps: number;
}

/** Size of an Auto Scaling group of workers. */
export interface NodeGroupSize {
  readonly pool: string;
  readonly kind: 'general' | 'memory' | 'accelerator' | 'spot';
  readonly architecture: 'amd64' | 'arm64';
  /** Instance types of the same size: the autoscaler assumes identical nodes in a group. */
  readonly instanceTypes: readonly string[];
  readonly min: number;
  readonly desired: number;
  readonly max: number;
  readonly maxPods: number;
  readonly rootGib: number;
}

/** Sizes and counts of a capacity plan. */
export interface ClusterCapacity {
  /** Limits of the cluster autoscaler. */
  readonly autoscaler: AutoscalerBounds;
  readonly controlPlaneNodes: number;
  readonly controlPlaneInstanceType: string;
  readonly controlPlaneRootGib: number;
  /** Main, events, and optionally leases. */
  readonly etcd: readonly EtcdVolumeSize[];
  readonly nodeGroups: readonly NodeGroupSize[];
}

/** Returns the maximum number of machines, control plane included. */
export const maxNodes = ({ controlPlaneNodes, nodeGroups }: ClusterCapacity): number =>
  nodeGroups.reduce((sum, { max }) => sum + max, controlPlaneNodes);
