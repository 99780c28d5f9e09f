import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type PodSpec,
  type Problem,
  type Workload,
} from '../../../api';
import { podFootprint } from '../../footprint/pod-footprint';

/** Reports a daemon whose pod requests more than its node budget. */
export function budgetProblems(
  { spec: { nodeBudget } }: Workload<'PinterestDaemon'>,
  pod: PodSpec,
  report: (problem: Problem) => void,
): void {
  const { requests } = podFootprint(pod);
  for (const resource of ['cpu', 'memory'] as const) {
    const text = nodeBudget?.[resource];
    const budget = text === undefined ? undefined : parseQuantity(text);
    const requested = requests[resource];
    if (!budget || !requested || compareQuantities(requested, budget) <= 0) continue;
    report({
      code: 'invalid-combination',
      path: ['spec', 'nodeBudget', resource],
      value: text,
      reason: `is less than the ${formatQuantity(requested)} that its pod requests on every node: ${formatRequests(pod, resource)}`,
      remedy: 'lower the requests of a container, disable an optional part, or raise the budget',
      rule: 'daemon-node-budget',
    });
  }
}

/** Formats the request of each container, such as `app 100m, pinion-logs 50m (sidecar)`. */
function formatRequests({ containers, initContainers = [] }: PodSpec, resource: string): string {
  const formatRequest = (suffix: string) => (container: PodSpec['containers'][number]) => {
    const amount = container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource];
    return amount === undefined ? [] : [`${container.name} ${amount}${suffix}`];
  };
  return [
    ...containers.flatMap(formatRequest('')),
    ...initContainers.flatMap((container) =>
      formatRequest(container.restartPolicy === 'Always' ? ' (sidecar)' : ' (init)')(container),
    ),
  ].join(', ');
}
