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
  const said = new Set<string>();
  return objects.flatMap((one) => {
    const peak = podsAtPeak(one, objects);
    // A daemon runs where it fits; running nowhere may be intended.
    if (!peak?.pod || peak.count === 0 || one.kind === 'DaemonSet') return [];
    const problem = problemOf(peak.pod, nodes, mayGrow(target, nodes));
    if (!problem || said.has(problem.reason)) return [];
    said.add(problem.reason);
    return [{ ...problem, object }];
  });
}

const path = ['spec', 'template'];

function problemOf(pod: PodSpec, nodes: readonly SchedulableNode[], mayCome: boolean): Problem | undefined {
  const taking = nodes.filter((node) => admits(node, pod));
  if (taking.length === 0)
    return {
      code: 'not-available',
      severity: 'warning',
      path,
      reason: `has pods that match none of the ${nodes.length} nodes now`,
      remedy: 'choose another pool, or wait for matching nodes',
    };
  const asked = Object.entries(podFootprint(pod).requests);
  const holds = ({ allocatable }: SchedulableNode) =>
    asked.every(([name, amount]) => isWithin(amount, allocatable[name]));
  if (taking.some(holds)) return undefined;
  const most = asked.flatMap(([name, amount]) => {
    const largest = taking.map(({ allocatable }) => allocatable[name]).reduce(largerQuantity, undefined);
    return isWithin(amount, largest)
      ? []
      : [`${formatQuantity(amount)} of ${name}, and the largest has ${text(largest)}`];
  });
  const why = most.length > 0 ? most.join(', ') : 'a combination of resources that no single node has';
  return {
    code: 'not-available',
    ...(mayCome && { severity: 'warning' as const }),
    path,
    reason: `has a pod that fits on none of the ${taking.length} matching nodes: it requests ${why}`,
    remedy: 'lower its requests, or choose a pool of larger nodes',
  };
}

const isWithin = (amount: Quantity, offered: Quantity | undefined): boolean =>
  amount.nanos === 0n || (offered !== undefined && compareQuantities(amount, offered) <= 0);

const text = (amount: Quantity | undefined): string => (amount ? formatQuantity(amount) : 'none');

/** Returns whether the Platform has a pool without nodes: new ones may be larger. */
const mayGrow = ({ platform }: TargetSnapshot, nodes: readonly SchedulableNode[]): boolean =>
  platform.spec.pools.some(
    ({ nodeSelector }) =>
      !nodes.some(({ labels }) => Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)),
  );
