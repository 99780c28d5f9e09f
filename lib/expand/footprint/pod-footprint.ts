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
 * the app's containers run next to all sidecars. The larger of the two counts, per resource; pod-level resources
 * replace that, and the overhead of its runtime class is added. A resource that no container limits has no limit here.
 * Source: `PodRequests` and `PodLimits` of k8s.io/component-helpers/resource.
 */
export function podFootprint(pod: PodSpec): PodFootprint {
  const overhead = amountsOf(pod.overhead);
  const limits = { ...effective(pod, limitsOf), ...amountsOf(pod.resources?.limits) };
  const requests = { ...effective(pod, requestsOf), ...amountsOf(pod.resources?.requests) };
  const limitedOverhead = Object.fromEntries(Object.entries(overhead).filter(([name]) => limits[name] !== undefined));
  return { requests: addAmounts(requests, overhead), limits: addAmounts(limits, limitedOverhead) };
}

function effective(pod: PodSpec, of: (container: Container) => ResourceList): ResourceList {
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of pod.initContainers ?? []) {
    const own = addAmounts(sidecars, of(container));
    if (container.restartPolicy === 'Always') sidecars = own;
    starting = largerAmounts(starting, own);
  }
  const running = pod.containers.map(of).reduce(addAmounts, sidecars);
  return largerAmounts(running, starting);
}

/** Returns the requests of a container; a missing request defaults to the limit, as in the API server. */
const requestsOf = ({ resources }: Container): ResourceList => ({
  ...amountsOf(resources?.limits),
  ...amountsOf(resources?.requests),
});
const limitsOf = ({ resources }: Container): ResourceList => amountsOf(resources?.limits);
