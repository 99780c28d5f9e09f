import { type NodeGroup, type PlatformStackConfig } from './platform-stack-config';

type Sized = Pick<PlatformStackConfig, 'autoscaler' | 'nodeGroups' | 'controlPlane' | 'bounds'>;

/** Limits of a cluster; the autoscaler counts control plane nodes too. */
interface ClusterBounds {
  readonly nodes: number;
  readonly cpus: number;
  readonly memoryGib: number;
}

const total = (groups: readonly NodeGroup[], controlPlane: number, amount: (group: NodeGroup) => number): number =>
  groups.reduce((sum, group) => sum + amount(group), controlPlane);

/** Returns the minimum size of the cluster, control plane included; memory in whole GiB. */
export const minSize = ({ nodeGroups, controlPlane }: Omit<Sized, 'autoscaler' | 'bounds'>): ClusterBounds => ({
  nodes: total(nodeGroups, controlPlane.count, ({ min }) => min),
  cpus: total(nodeGroups, controlPlane.count * controlPlane.cpus, ({ min, cpus }) => min * cpus),
  memoryGib: Math.ceil(
    total(nodeGroups, controlPlane.count * controlPlane.memoryGib, ({ min, memoryGib }) => min * memoryGib),
  ),
});

/** Returns the limits of the capacity plan, control plane included. */
export const plannedBounds = ({ autoscaler }: Pick<Sized, 'autoscaler'>): ClusterBounds => ({
  nodes: autoscaler.maxNodes,
  cpus: autoscaler.maxCores,
  memoryGib: autoscaler.maxMemoryGib,
});

/** Returns the limits of the cluster: configured ones, or those of the capacity plan. */
export function clusterBounds(config: Pick<Sized, 'autoscaler' | 'bounds'>): ClusterBounds {
  const planned = plannedBounds(config);
  const { nodes = planned.nodes, cpus = planned.cpus, memoryGib = planned.memoryGib } = config.bounds;
  return { nodes, cpus, memoryGib };
}

/** Returns the maximum number of nodes, control plane included: the lower of bound and group sizes. */
export const maxPlannedNodes = (config: Sized): number =>
  Math.min(
    clusterBounds(config).nodes,
    total(config.nodeGroups, config.controlPlane.count, ({ max }) => max),
  );
