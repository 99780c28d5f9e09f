import { type NodeGroup, type PlatformFacts } from './platform-facts';

type Sized = Pick<PlatformFacts, 'autoscaler' | 'nodeGroups' | 'masters' | 'bounds'>;

/** Most that a cluster may have; the autoscaler counts masters too. */
interface ClusterBounds {
  readonly nodes: number;
  readonly cpus: number;
  readonly memoryGib: number;
}

const total = (groups: readonly NodeGroup[], masters: number, amount: (group: NodeGroup) => number): number =>
  groups.reduce((sum, group) => sum + amount(group), masters);

/** What the cluster has with its groups at their least, masters included; memory in whole GiB. */
export const leastSize = ({ nodeGroups, masters }: Omit<Sized, 'autoscaler' | 'bounds'>): ClusterBounds => ({
  nodes: total(nodeGroups, masters.count, ({ min }) => min),
  cpus: total(nodeGroups, masters.count * masters.cpus, ({ min, cpus }) => min * cpus),
  memoryGib: Math.ceil(total(nodeGroups, masters.count * masters.memoryGib, ({ min, memoryGib }) => min * memoryGib)),
});

/** What the capacity plan of the cluster lets it have, masters included. */
export const plannedBounds = ({ autoscaler }: Pick<Sized, 'autoscaler'>): ClusterBounds => ({
  nodes: autoscaler.maxNodes,
  cpus: autoscaler.maxCores,
  memoryGib: autoscaler.maxMemoryGib,
});

/** Bounds of the whole cluster: as a person lowered them, else as planned. */
export function clusterBounds(facts: Pick<Sized, 'autoscaler' | 'bounds'>): ClusterBounds {
  const most = plannedBounds(facts);
  const { nodes = most.nodes, cpus = most.cpus, memoryGib = most.memoryGib } = facts.bounds;
  return { nodes, cpus, memoryGib };
}

/** Most nodes that the cluster grows to, masters among them: no more than its groups have, whatever the bound is. */
export const mostNodes = (facts: Sized): number =>
  Math.min(
    clusterBounds(facts).nodes,
    total(facts.nodeGroups, facts.masters.count, ({ max }) => max),
  );
