import { instanceTypes } from './machine-sizes';
import { type Load } from './load';
import { type NodeGroupPlan } from './node-groups';
import { type Sheet } from './sheet';

/** Bounds of the cluster autoscaler; answers with the most nodes. */
export function autoscalerPlan(load: Load, groups: readonly NodeGroupPlan[], sheet: Sheet): number {
  const most = groups.reduce((sum, { max }) => sum + max.value, 0);
  const maxNodes = sheet.plan('autoscalerMaxNodes', Math.max(1, most), {
    formula: 'the most of all groups together; --max-nodes-per-scaleup bounds nothing',
    inputs: { groups: groups.length, nodes: load.nodes },
    source: 'control-plane formula: --max-nodes-total = sum of the most of all groups = 1.2 times the plan',
  });
  const sizes = groups.map(({ instanceTypes: types, max }) => ({
    size: instanceTypes.get(types.value[0] ?? ''),
    max: max.value,
  }));
  const sum = (of: 'cores' | 'memoryGib'): number =>
    Math.max(1, Math.ceil(sizes.reduce((total, { size, max }) => total + max * (size?.[of] ?? 0), 0)));
  const reason = {
    formula: 'what the most of all groups have together, for the first type of each',
    inputs: { autoscalerMaxNodes: maxNodes },
    source: 'cluster-autoscaler flags: cores-total, memory-total',
  };
  sheet.plan('autoscalerMaxCores', sum('cores'), reason);
  sheet.plan('autoscalerMaxMemoryGib', sum('memoryGib'), reason);
  sheet.plan('autoscalerScanSeconds', load.nodes > 1000 ? 30 : 10, {
    formula: '10 s, 30 s above 1,000 nodes, which it was tested to',
    inputs: { nodes: load.nodes },
    source: 'proposals/scalability_tests.md',
  });
  sheet.plan('autoscalerPodDelaySeconds', 30, {
    formula: 'fixed: a burst that ends, or is refused by a quota, within half a minute adds no machine',
    inputs: {},
    source: 'cluster-autoscaler flags: new-pod-scale-up-delay',
  });
  sheet.plan('growthStepNodes', Math.max(1, Math.floor(0.1 * load.nodes)), {
    formula: 'a tenth of the nodes',
    inputs: { nodes: load.nodes },
    source: 'EKS best practices: no step of a double-digit percentage',
  });
  return maxNodes;
}
