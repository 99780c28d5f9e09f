import { addAmounts, amountsOf, largerAmounts, type ResourceList, type Container, type PodSpec } from '../../api';

/** What one pod counts for: what the scheduler keeps free for it, and what it may not pass. */
export interface PodFootprint {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * Effective requests and limits of a pod, by the arithmetic of the scheduler.
 *
 * Init containers run one at a time, beside the sidecars (init containers that restart always) started before them; the app's
 * containers run beside all sidecars. The larger of the two counts, resource by resource; what the pod states as a whole
 * replaces that, and the overhead of its runtime class is added. A resource that no container limits has no limit here.
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

/** Requests of a container; a limit stands in for a request that is not stated, as the API server has it. */
const requestsOf = ({ resources }: Container): ResourceList => ({
  ...amountsOf(resources?.limits),
  ...amountsOf(resources?.requests),
});
const limitsOf = ({ resources }: Container): ResourceList => amountsOf(resources?.limits);
