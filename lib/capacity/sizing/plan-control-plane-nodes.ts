import { type ApiServerPlan } from './api-server-plan';
import { type EtcdSizing } from './etcd-plan';
import { smallestFitting, offeredIn, instanceTypes, type InstanceType } from './instance-type';
import { type Load } from '../load/load';
import { type Storm } from './storm';
import { type PlanValues } from '../plan/plan-values';

/** Instance families of control plane nodes, in order of preference. */
export const controlPlaneFamilies = ['m6i', 'c6i', 'r6i', 'm7i', 'c7i', 'r7i', 'm5', 'c5', 'r5', 'x2idn'] as const;

const GiB = 1024 ** 3;
/** Share of the remaining control plane nodes that ordinary load may use after the loss of one. */
const ordinaryShare = 0.6;
/** Share of a control plane node's memory that may be used in a storm. */
const peakShare = 0.9;
/** Memory of system, kubelet, container runtime and daemons on a control plane node. */
export const systemBytes = 1 * GiB;
/** 9 GB of the controller manager and 4.3 GB of the scheduler at 150,000 pods (k/k #52107). */
const controllerManagerPerPod = 9e9 / 150_000;
const schedulerPerPod = 4.3e9 / 150_000;
const idleControllersBytes = 0.2e9;

/** Needs of a control plane node and its instance type; undefined if no type is large enough. */
export interface ControlPlaneNodePlan {
  readonly need: {
    readonly cores: number;
    readonly memoryBytes: number;
    readonly ebsIops: number;
    readonly ebsMBps: number;
  };
  /** Planned instance type, before the override. */
  readonly chosen: InstanceType | undefined;
  readonly type: InstanceType | undefined;
}

/** Returns the memory of controller manager and scheduler together. */
export const controllersBytes = (pods: number): number =>
  idleControllersBytes + (controllerManagerPerPod + schedulerPerPod) * pods;

/** Plans instance types with which the control plane tolerates the loss of one node. */
export function planControlPlaneNodes(
  load: Load,
  api: ApiServerPlan,
  etcd: EtcdSizing,
  storm: Storm,
  controlPlaneNodes: number,
  figures: PlanValues,
): ControlPlaneNodePlan {
  const cores = figures.plan('controlPlaneNodeCores', coresOf(api, controlPlaneNodes), {
    formula:
      'the larger of ordinary load at 60% of the nodes that remain after the loss of one, and a storm at 100% of all nodes',
    inputs: { controlPlaneCores: api.ordinaryCores, stormCores: api.stormCores, controlPlaneNodes },
    source: 'OpenShift plans control planes for 60% usage; kube-up: 4 CPUs at 100 nodes, 16 at 500, 32 at 3,000',
  });
  const memoryBytes = figures.plan('controlPlaneNodeMemoryBytes', memoryOf(load, api, etcd, storm), {
    formula:
      'the largest of ordinary load at 60%, a storm at 90%, and ordinary load with a full etcd quota at 90%; each server caches everything, so more control plane nodes do not reduce it',
    inputs: {
      apiServer: api.memorySteadyBytes,
      apiServerPeak: api.memoryPeakBytes,
      etcdFile: etcd.fileBytes,
      etcdQuota: etcd.quotaBytes,
    },
    source:
      'controller manager 9 GB and scheduler 4.3 GB at 150,000 pods (k/k #52107); etcd hardware.md: at least as much memory as the quota',
  });
  const need = { cores, memoryBytes, ebsIops: etcd.requiredIops, ebsMBps: etcd.requiredMBps };
  const chosen = smallestFitting(offeredIn(load.region, controlPlaneFamilies), {
    ...need,
    memoryGib: memoryBytes / GiB,
  });
  const name = figures.plan('controlPlaneInstanceType', chosen?.name ?? 'none.none', {
    formula:
      'the smallest EC2 type of the region with enough CPUs, memory and EBS performance; a CPU counts as much as 10 GiB',
    inputs: {
      cores,
      memoryBytes,
      iops: Math.round(etcd.requiredIops),
      throughputMBps: Math.round(etcd.requiredMBps),
      region: load.region,
    },
    source: 'EC2 DescribeInstanceTypes',
  });
  figures.plan('controlPlaneRootGib', 64, {
    formula: 'fixed: space for images, logs and audit logs',
    inputs: {},
    source: 'kops pkg/model/defaults/volumes.go',
  });
  return { need, chosen, type: instanceTypes.get(name) };
}

const coresOf = ({ ordinaryCores, stormCores }: ApiServerPlan, controlPlaneNodes: number): number =>
  Math.max(ordinaryCores / Math.max(1, controlPlaneNodes - 1) / ordinaryShare, stormCores / controlPlaneNodes);

function memoryOf({ pods }: Load, api: ApiServerPlan, etcd: EtcdSizing, storm: Storm): number {
  const ordinary = api.memorySteadyBytes + controllersBytes(pods) + systemBytes + etcd.otherFileBytes;
  const inStorm = api.memoryPeakBytes + controllersBytes(storm.pods) + systemBytes + databasesInStorm(etcd);
  return Math.ceil(
    Math.max(
      (ordinary + etcd.fileBytes) / ordinaryShare,
      inStorm / peakShare,
      (ordinary + etcd.quotaBytes) / peakShare,
    ),
  );
}

const databasesInStorm = (etcd: EtcdSizing): number =>
  Math.min(etcd.stormFileBytes, etcd.quotaBytes) + etcd.otherStormFileBytes;

/** Divides the memory of a control plane node: heap, reclaim threshold and page cache of the API server. */
export function planApiServerMemory(
  load: Load,
  type: InstanceType | undefined,
  etcd: EtcdSizing,
  storm: Storm,
  figures: PlanValues,
): void {
  const all = (type?.memoryGib ?? 0) * GiB;
  const others = controllersBytes(storm.pods) + systemBytes + databasesInStorm(etcd);
  // An undersized type already has a warning; a limit near zero would only make the garbage collector run continuously.
  const available = Math.max(0.4 * all, 0.95 * all - others);
  const inputs = {
    memoryGib: type?.memoryGib ?? 0,
    others: Math.round(others),
    stormPods: storm.pods,
    region: load.region,
  };
  const high = figures.plan('apiServerMemoryHighBytes', Math.floor(0.9 * available), {
    formula:
      '90% of the memory that is available in a storm: 95% of the node minus the other programs, at least 40%; no hard limit, because page cache would reach it',
    inputs,
    source:
      'a server with 1.8 GiB of its own and 2.4 GiB of page cache was killed at 4 GiB; memory.high reclaims earlier',
  });
  const limit = figures.plan('goMemLimitBytes', Math.floor(0.85 * high), {
    formula: '85% of memory.high, so that the garbage collector runs before the kernel reclaims memory',
    inputs: { apiServerMemoryHighBytes: high },
    source: 'GOMEMLIMIT at 80% to 90% of the memory budget',
  });
  figures.plan('pageCacheBytes', Math.max(0, high - limit), {
    formula: 'memory.high minus GOMEMLIMIT, for the page cache of audit logs and logs',
    inputs: { apiServerMemoryHighBytes: high, goMemLimitBytes: limit },
    source: 'memory.current counts page cache',
  });
}
