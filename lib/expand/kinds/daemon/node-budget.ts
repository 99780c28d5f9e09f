import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type PodSpec,
  type Problem,
  type Workload,
} from '../../../api';
import { podFootprint } from '../../footprint/pod-footprint';

/** Reports where the pod of a daemon asks for more than it may cost on every node, with the numbers. */
export function budgetProblems(
  { spec: { nodeBudget } }: Workload<'PinterestDaemon'>,
  pod: PodSpec,
  report: (problem: Problem) => void,
): void {
  const { requests } = podFootprint(pod);
  for (const resource of ['cpu', 'memory'] as const) {
    const text = nodeBudget?.[resource];
    const budget = text === undefined ? undefined : parseQuantity(text);
    const asked = requests[resource];
    if (!budget || !asked || compareQuantities(asked, budget) <= 0) continue;
    report({
      code: 'invalid-combination',
      path: ['spec', 'nodeBudget', resource],
      value: text,
      reason: `is less than the ${formatQuantity(asked)} that its pod asks for on every node: ${shares(pod, resource)}`,
      remedy: 'lower the requests of a container, switch off an optional part, or raise the budget',
      rule: 'daemon-node-budget',
    });
  }
}

/** What each container asks for, as `app 100m, pinion-logs 50m (sidecar)`. */
function shares({ containers, initContainers = [] }: PodSpec, resource: string): string {
  const share = (kind: string) => (container: PodSpec['containers'][number]) => {
    const amount = container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource];
    return amount === undefined ? [] : [`${container.name} ${amount}${kind}`];
  };
  return [
    ...containers.flatMap(share('')),
    ...initContainers.flatMap((one) => share(one.restartPolicy === 'Always' ? ' (sidecar)' : ' (init)')(one)),
  ].join(', ');
}
