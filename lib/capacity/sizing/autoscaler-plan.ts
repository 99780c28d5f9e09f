import { instanceTypes, type InstanceType } from './instance-type';
import { type Load } from '../load/load';
import { type NodeGroupPlan } from './node-groups';
import { type PlanValues, type Values } from '../plan/plan-values';

/** What the cluster autoscaler is held to; it counts masters too. */
export interface AutoscalerBounds {
  readonly maxNodes: number;
  readonly maxCores: number;
  readonly maxMemoryGib: number;
  readonly scanSeconds: number;
  readonly podDelaySeconds: number;
}

/** The bounds that a plan comes to, overrides included. */
export const autoscalerBounds = (values: Values): AutoscalerBounds => ({
  maxNodes: values.autoscalerMaxNodes.value,
  maxCores: values.autoscalerMaxCores.value,
  maxMemoryGib: values.autoscalerMaxMemoryGib.value,
  scanSeconds: values.autoscalerScanSeconds.value,
  podDelaySeconds: values.autoscalerPodDelaySeconds.value,
});

/** Flags of the cluster autoscaler that follow from its bounds, without the two dashes; memory in GiB, as it reads it. */
export const autoscalerFlags = (bounds: AutoscalerBounds): Readonly<Record<string, string>> => ({
  'cores-total': `0:${bounds.maxCores}`,
  expander: 'least-waste',
  'max-nodes-total': String(bounds.maxNodes),
  'memory-total': `0:${bounds.maxMemoryGib}`,
  'new-pod-scale-up-delay': `${bounds.podDelaySeconds}s`,
  'scan-interval': `${bounds.scanSeconds}s`,
});

const sumOf = (groups: readonly NodeGroupPlan[]): number => groups.reduce((sum, { max }) => sum + max.value, 0);

/** Most workers that a plan grows to: what its groups let be, and what the autoscaler does beside the masters. */
export const maxWorkers = (groups: readonly NodeGroupPlan[], maxNodes: number, controlPlaneNodes: number): number =>
  Math.max(0, Math.min(sumOf(groups), maxNodes - controlPlaneNodes));

/** Plans the pace of the cluster autoscaler and its bound of nodes; answers with the most workers. */
export function autoscalerPlan(
  load: Load,
  groups: readonly NodeGroupPlan[],
  controlPlaneNodes: number,
  figures: PlanValues,
): number {
  const maxNodes = figures.plan('autoscalerMaxNodes', sumOf(groups) + controlPlaneNodes, {
    formula: 'the most of all groups together and the masters, which it counts; --max-nodes-per-scaleup bounds nothing',
    inputs: { groups: groups.length, nodes: load.nodes, controlPlaneNodes },
    source: 'control-plane formula: --max-nodes-total = sum of the most of all groups = 1.2 times the plan',
  });
  figures.plan('autoscalerScanSeconds', load.nodes > 1000 ? 30 : 10, {
    formula: '10 s, 30 s above 1,000 nodes, which it was tested to',
    inputs: { nodes: load.nodes },
    source: 'proposals/scalability_tests.md',
  });
  figures.plan('autoscalerPodDelaySeconds', 30, {
    formula: 'fixed: a burst that ends, or is refused by a quota, within half a minute adds no machine',
    inputs: {},
    source: 'cluster-autoscaler flags: new-pod-scale-up-delay',
  });
  figures.plan('growthStepNodes', Math.max(1, Math.floor(0.1 * load.nodes)), {
    formula: 'a tenth of the nodes',
    inputs: { nodes: load.nodes },
    source: 'EKS best practices: no step of a double-digit percentage',
  });
  return maxWorkers(groups, maxNodes, controlPlaneNodes);
}

/** Plans what all machines together may have, once it is known what a master is. */
export function autoscalerResources(
  groups: readonly NodeGroupPlan[],
  controlPlaneNode: InstanceType | undefined,
  controlPlaneNodes: number,
  figures: PlanValues,
): void {
  const sizes = groups.map(({ instanceTypes: types, max }) => ({
    size: instanceTypes.get(types.value[0] ?? ''),
    max: max.value,
  }));
  const sum = (of: 'cores' | 'memoryGib'): number =>
    Math.max(
      1,
      Math.ceil(
        sizes.reduce(
          (total, { size, max }) => total + max * (size?.[of] ?? 0),
          controlPlaneNodes * (controlPlaneNode?.[of] ?? 0),
        ),
      ),
    );
  const reason = {
    formula: 'what the most of all groups and the masters have together; machines of a group are equal',
    inputs: { groups: groups.length, controlPlaneNodes },
    source: 'cluster-autoscaler flags: cores-total, memory-total',
  };
  figures.plan('autoscalerMaxCores', sum('cores'), reason);
  figures.plan('autoscalerMaxMemoryGib', sum('memoryGib'), reason);
}
