import { addAmounts, amountsOf, largerAmounts, type ResourceList, type Container, type PodSpec } from '../../api';

/** Effective requests and limits of a pod. */
export interface PodFootprint {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * Returns the effective requests and limits of a pod, as the scheduler computes them.
 *
 * Init containers run one at a time, next to the sidecars (init containers that restart always) started before them;
 * the app's containers run next to all sidecars. The larger of the two sums counts, per resource; pod-level resources
 * replace it, and the overhead of the runtime class is added. A resource that no container limits has no limit.
 * Source: `PodRequests` and `PodLimits` of k8s.io/component-helpers/resource.
 */
export function podFootprint(pod: PodSpec): PodFootprint {
  const overhead = amountsOf(pod.overhead);
  const limits = { ...effectiveAmounts(pod, limitsOf), ...amountsOf(pod.resources?.limits) };
  const requests = { ...effectiveAmounts(pod, requestsOf), ...amountsOf(pod.resources?.requests) };
  const limitedOverhead = Object.fromEntries(Object.entries(overhead).filter(([name]) => limits[name] !== undefined));
  return { requests: addAmounts(requests, overhead), limits: addAmounts(limits, limitedOverhead) };
}

function effectiveAmounts(pod: PodSpec, amountsOfContainer: (container: Container) => ResourceList): ResourceList {
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of pod.initContainers ?? []) {
    const own = addAmounts(sidecars, amountsOfContainer(container));
    if (container.restartPolicy === 'Always') sidecars = own;
    starting = largerAmounts(starting, own);
  }
  const running = pod.containers.map(amountsOfContainer).reduce(addAmounts, sidecars);
  return largerAmounts(running, starting);
}

/** Returns the requests of a container; a missing request defaults to the limit, as in the API server. */
const requestsOf = ({ resources }: Container): ResourceList => ({
  ...amountsOf(resources?.limits),
  ...amountsOf(resources?.requests),
});
const limitsOf = ({ resources }: Container): ResourceList => amountsOf(resources?.limits);
