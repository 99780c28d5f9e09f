import { addQuantities, compareQuantities, parseQuantity, type Container, type PodSpec, type Quantity } from '../api';

/** Exact amounts by resource. */
export type Footprint = Readonly<Record<string, Quantity>>;

/** What one pod counts for: what the scheduler keeps free for it, and what it may not pass. */
export interface PodFootprint {
  readonly requests: Footprint;
  readonly limits: Footprint;
}

type Stated = Readonly<Record<string, string | number | undefined>> | undefined;

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
  return { requests: sum(requests, overhead), limits: sum(limits, limitedOverhead) };
}

function effective(pod: PodSpec, of: (container: Container) => Footprint): Footprint {
  let sidecars: Footprint = {};
  let starting: Footprint = {};
  for (const container of pod.initContainers ?? []) {
    const own = sum(sidecars, of(container));
    if (container.restartPolicy === 'Always') sidecars = own;
    starting = larger(starting, own);
  }
  const running = pod.containers.map(of).reduce(sum, sidecars);
  return larger(running, starting);
}

/** Requests of a container; a limit stands in for a request that is not stated, as the API server has it. */
const requestsOf = ({ resources }: Container): Footprint => ({
  ...amountsOf(resources?.limits),
  ...amountsOf(resources?.requests),
});
const limitsOf = ({ resources }: Container): Footprint => amountsOf(resources?.limits);

function amountsOf(stated: Stated): Record<string, Quantity> {
  const amounts: Record<string, Quantity> = {};
  for (const [name, text] of Object.entries(stated ?? {})) {
    const amount = text === undefined ? undefined : parseQuantity(text);
    if (amount) amounts[name] = amount;
  }
  return amounts;
}

const sum = (a: Footprint, b: Footprint): Footprint => merge(a, b, addQuantities);
const larger = (a: Footprint, b: Footprint): Footprint =>
  merge(a, b, (left, right) => (compareQuantities(left, right) < 0 ? right : left));

function merge(a: Footprint, b: Footprint, combine: (a: Quantity, b: Quantity) => Quantity): Footprint {
  const merged: Record<string, Quantity> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const other = merged[name];
    merged[name] = other ? combine(other, amount) : amount;
  }
  return merged;
}
