import { instanceTypes, type InstanceType } from './instance-type';
import { type Load } from '../load/load';
import { type NodeGroupPlan } from './node-groups';
import { type PlanValues, type Values } from '../plan/plan-values';

/** Limits of the cluster autoscaler; nodes, CPUs and memory include the control plane. */
export interface AutoscalerBounds {
  readonly maxNodes: number;
  readonly maxCores: number;
  readonly maxMemoryGib: number;
  readonly scanSeconds: number;
  readonly podDelaySeconds: number;
}

/** Returns the cluster autoscaler limits of a plan, including overrides. */
export const autoscalerBounds = (values: Values): AutoscalerBounds => ({
  maxNodes: values.autoscalerMaxNodes.value,
  maxCores: values.autoscalerMaxCores.value,
  maxMemoryGib: values.autoscalerMaxMemoryGib.value,
  scanSeconds: values.autoscalerScanSeconds.value,
  podDelaySeconds: values.autoscalerPodDelaySeconds.value,
});

/** Returns the cluster autoscaler flags for its limits, without the two dashes; memory in GiB. */
export const autoscalerFlags = (bounds: AutoscalerBounds): Readonly<Record<string, string>> => ({
  'cores-total': `0:${bounds.maxCores}`,
  expander: 'least-waste',
  'max-nodes-total': String(bounds.maxNodes),
  'memory-total': `0:${bounds.maxMemoryGib}`,
  'new-pod-scale-up-delay': `${bounds.podDelaySeconds}s`,
  'scan-interval': `${bounds.scanSeconds}s`,
});

const sumOf = (groups: readonly NodeGroupPlan[]): number => groups.reduce((sum, { max }) => sum + max.value, 0);

/** Returns the maximum worker nodes of a plan, limited by its node groups and the autoscaler. */
export const maxWorkers = (groups: readonly NodeGroupPlan[], maxNodes: number, controlPlaneNodes: number): number =>
  Math.max(0, Math.min(sumOf(groups), maxNodes - controlPlaneNodes));

/** Plans the timing and the node limit of the cluster autoscaler; returns the maximum worker nodes. */
export function autoscalerPlan(
  load: Load,
  groups: readonly NodeGroupPlan[],
  controlPlaneNodes: number,
  figures: PlanValues,
): number {
  const maxNodes = figures.plan('autoscalerMaxNodes', sumOf(groups) + controlPlaneNodes, {
    formula:
      'the sum of the maximum sizes of all groups, plus the control plane nodes; --max-nodes-per-scaleup has no effect',
    inputs: { groups: groups.length, nodes: load.nodes, controlPlaneNodes },
    source: 'control-plane formula: --max-nodes-total = sum of the maximum sizes of all groups = 1.2 times the plan',
  });
  figures.plan('autoscalerScanSeconds', load.nodes > 1000 ? 30 : 10, {
    formula: '10 s, or 30 s above the 1,000 nodes that it was tested with',
    inputs: { nodes: load.nodes },
    source: 'proposals/scalability_tests.md',
  });
  figures.plan('autoscalerPodDelaySeconds', 30, {
    formula: 'fixed: pods that are deleted or rejected within 30 s add no node',
    inputs: {},
    source: 'cluster-autoscaler flags: new-pod-scale-up-delay',
  });
  figures.plan('growthStepNodes', Math.max(1, Math.floor(0.1 * load.nodes)), {
    formula: 'a tenth of the nodes',
    inputs: { nodes: load.nodes },
    source: 'estimate; EKS best practices: scale by single-digit percentages',
  });
  return maxWorkers(groups, maxNodes, controlPlaneNodes);
}

/** Plans the total CPU and memory limits of the autoscaler, once the control plane's instance type is known. */
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
    formula:
      'the sum over all groups at their maximum size, plus the control plane nodes; machines of a group are equal',
    inputs: { groups: groups.length, controlPlaneNodes },
    source: 'cluster-autoscaler flags: cores-total, memory-total',
  };
  figures.plan('autoscalerMaxCores', sum('cores'), reason);
  figures.plan('autoscalerMaxMemoryGib', sum('memoryGib'), reason);
}
