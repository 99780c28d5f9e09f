import { type NodeGroup, type PlatformFacts } from './platform-facts';

type Sized = Pick<PlatformFacts, 'nodeGroups' | 'masters' | 'bounds'>;

/** Most that a cluster may have; the autoscaler counts masters too. */
interface ClusterBounds {
  readonly nodes: number;
  readonly cpus: number;
  readonly memoryGib: number;
}

const total = (groups: readonly NodeGroup[], masters: number, amount: (group: NodeGroup) => number): number =>
  groups.reduce((sum, group) => sum + amount(group), masters);

/** What the cluster has with its groups at `min` or `max`, masters included; memory in whole GiB. */
export const sizeAt = (at: 'min' | 'max', { nodeGroups, masters }: Sized): ClusterBounds => ({
  nodes: total(nodeGroups, masters.count, (group) => group[at]),
  cpus: total(nodeGroups, masters.count * masters.cpus, (group) => group[at] * group.cpus),
  memoryGib: Math.ceil(total(nodeGroups, masters.count * masters.memoryGib, (group) => group[at] * group.memoryGib)),
});

/** Bounds of the whole cluster: as given, else what its groups add up to. */
export function clusterBounds(facts: Sized): ClusterBounds {
  const most = sizeAt('max', facts);
  const { nodes = most.nodes, cpus = most.cpus, memoryGib = most.memoryGib } = facts.bounds;
  return { nodes, cpus, memoryGib };
}

/** Most nodes that the cluster grows to, masters among them. */
export const mostNodes = (facts: Sized): number => clusterBounds(facts).nodes;
