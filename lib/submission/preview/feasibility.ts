import {
  compareQuantities,
  formatQuantity,
  largerQuantity,
  type PodSpec,
  type Problem,
  type Quantity,
} from '../../api';
import { admits, podFootprint, podsAtPeak, type SchedulableNode } from '../../expand';
import { type ExpandedWorkload, type TargetSnapshot } from './target-snapshot';

/**
 * Returns a problem for each pod that fits on no node, even an empty one, with the largest of the nodes that match.
 *
 * Only a warning if nodes may be added: no node matches the pod now, or the Platform has a pool without nodes.
 */
export function feasibilityProblems({ workload, objects }: ExpandedWorkload, target: TargetSnapshot): Problem[] {
  const { nodes } = target;
  if (typeof nodes === 'number' || nodes.length === 0) return [];
  const { kind, metadata } = workload;
  const object = `${kind} ${metadata.namespace}/${metadata.name}`;
  const reported = new Set<string>();
  return objects.flatMap((one) => {
    const peak = podsAtPeak(one, objects);
    // A daemon runs where it fits; running nowhere may be intended.
    if (!peak?.pod || peak.count === 0 || one.kind === 'DaemonSet') return [];
    const problem = problemOf(peak.pod, nodes, mayGrow(target, nodes));
    if (!problem || reported.has(problem.reason)) return [];
    reported.add(problem.reason);
    return [{ ...problem, object }];
  });
}

const path = ['spec', 'template'];

function problemOf(pod: PodSpec, nodes: readonly SchedulableNode[], mayAddNodes: boolean): Problem | undefined {
  const matching = nodes.filter((node) => admits(node, pod));
  if (matching.length === 0)
    return {
      code: 'not-available',
      severity: 'warning',
      path,
      reason: `has pods that match none of the ${nodes.length} nodes now`,
      remedy: 'choose another pool, or wait for matching nodes',
    };
  const requests = Object.entries(podFootprint(pod).requests);
  const fits = ({ allocatable }: SchedulableNode) =>
    requests.every(([name, amount]) => isWithin(amount, allocatable[name]));
  if (matching.some(fits)) return undefined;
  const shortages = requests.flatMap(([name, amount]) => {
    const largest = matching.map(({ allocatable }) => allocatable[name]).reduce(largerQuantity, undefined);
    return isWithin(amount, largest)
      ? []
      : [`${formatQuantity(amount)} of ${name}, and the largest has ${text(largest)}`];
  });
  const shortage = shortages.length > 0 ? shortages.join(', ') : 'a combination of resources that no single node has';
  return {
    code: 'not-available',
    ...(mayAddNodes && { severity: 'warning' as const }),
    path,
    reason: `has a pod that fits on none of the ${matching.length} matching nodes: it requests ${shortage}`,
    remedy: 'lower its requests, or choose a pool of larger nodes',
  };
}

const isWithin = (amount: Quantity, capacity: Quantity | undefined): boolean =>
  amount.nanos === 0n || (capacity !== undefined && compareQuantities(amount, capacity) <= 0);

const text = (amount: Quantity | undefined): string => (amount ? formatQuantity(amount) : 'none');

/** Returns whether the Platform has a pool without nodes: new ones may be larger. */
const mayGrow = ({ platform }: TargetSnapshot, nodes: readonly SchedulableNode[]): boolean =>
  platform.spec.pools.some(
    ({ nodeSelector }) =>
      !nodes.some(({ labels }) => Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)),
  );
