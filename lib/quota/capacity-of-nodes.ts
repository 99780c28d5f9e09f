import { addAmounts, type ResourceList, amountsOf, valueAt } from '../api';
import { type SomeObject } from '../expand';

/** Sums the allocatable resources of schedulable nodes: `cpu`, `memory`, `pods`. */
export function allocatableOf(nodes: readonly SomeObject[]): ResourceList {
  return nodes
    .filter(
      (node) => node.kind === 'Node' && valueAt(node, ['spec', 'unschedulable']) !== true && !isControlPlaneNode(node),
    )
    .map((node) => amountsOf(valueAt(node, ['status', 'allocatable'])))
    .reduce(addAmounts, {});
}

function isControlPlaneNode(node: SomeObject): boolean {
  const taints = (valueAt(node, ['spec', 'taints']) ?? []) as readonly { readonly key?: unknown }[];
  return taints.some(({ key }) => key === 'node-role.kubernetes.io/control-plane');
}

/** Returns the name that nodes use for a quota resource; undefined if no node limits it. */
export function nodeResourceOf(resource: string): string | undefined {
  if (resource === 'pods') return 'pods';
  if (resource === 'limits.memory') return undefined;
  const [, name] = /^requests\.(cpu|memory|ephemeral-storage|[a-z0-9.-]+\/[a-z0-9.-]+)$/.exec(resource) ?? [];
  return name;
}
