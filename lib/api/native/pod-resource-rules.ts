import { isPlainObject } from '../values/plain-object';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../values/quantity';
import { containersOf } from './container-rules';
import { type NativeCheck, type IssueReporter } from './overlay';
import { checkResources } from './resource-rules';
import { listIn, objectIn, type Self } from './rule-forms';

const quantityIn = (list: Self, name: string): Quantity | undefined => {
  const value = list[name];
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
};

/** Requirements of the API server on a pod's own `resources` and `overhead`. */
export const podResources: NativeCheck = {
  name: 'pod-resources',
  check: (pod, report) => {
    if (pod['overhead'] !== undefined) checkOverhead(pod, report);
    const resources = pod['resources'];
    if (!isPlainObject(resources)) return;
    if (resources['claims'] !== undefined) {
      report(
        'invalid-combination',
        ['resources', 'claims'],
        'is not supported for the whole pod',
        'set the claims on containers',
      );
    }
    checkResources(pod, report);
    for (const list of ['requests', 'limits']) {
      for (const name of Object.keys(objectIn(resources, list))) {
        if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) continue;
        report(
          'unsupported-value',
          ['resources', list, name],
          'is not a pod-level resource',
          'use cpu, memory or hugepages-<size>',
        );
      }
    }
    checkContainerRequests(pod, resources, report);
    checkContainerLimits(pod, resources, report);
  },
};

function checkOverhead(pod: Self, report: IssueReporter): void {
  checkResources({ resources: { limits: pod['overhead'] } }, (code, path, reason, remedy, value) => {
    if (path.length === 3) report(code, ['overhead', ...path.slice(2)], reason, remedy, value);
  });
}

/** Requires that the sum of the container requests is at most the request of the pod. */
function checkContainerRequests(pod: Self, resources: Self, report: IssueReporter): void {
  const requests = objectIn(resources, 'requests');
  for (const name of Object.keys(requests)) {
    const podRequest = quantityIn(requests, name);
    if (podRequest === undefined || compareQuantities(peakOf(pod, name), podRequest) <= 0) continue;
    report(
      'invalid-combination',
      ['resources', 'requests', name],
      'is less than the sum of the container requests',
      'raise it, or lower the container requests',
    );
  }
}

/**
 * Returns the peak requests of the containers: the sum of those that run concurrently, or of an init container and the
 * sidecars before it.
 */
function peakOf(pod: Self, name: string): Quantity {
  const none: Quantity = { nanos: 0n, format: 'DecimalSI' };
  const requested = (container: Self): Quantity =>
    quantityIn(objectIn(objectIn(container, 'resources'), 'requests'), name) ?? none;
  let sidecars = none;
  let starting = none;
  for (const container of listIn(pod, 'initContainers')) {
    const sum = addQuantities(sidecars, requested(container));
    if (container['restartPolicy'] === 'Always') sidecars = sum;
    if (compareQuantities(sum, starting) > 0) starting = sum;
  }
  const running = listIn(pod, 'containers').reduce(
    (sum, container) => addQuantities(sum, requested(container)),
    sidecars,
  );
  return compareQuantities(running, starting) > 0 ? running : starting;
}

/** Requires that no container has a higher limit than the pod. */
function checkContainerLimits(pod: Self, resources: Self, report: IssueReporter): void {
  const podLimits = objectIn(resources, 'limits');
  for (const [list, index, container] of containersOf(pod)) {
    const limits = objectIn(objectIn(container, 'resources'), 'limits');
    for (const name of list === 'containers' ? Object.keys(limits) : []) {
      const [limit, podLimit] = [quantityIn(limits, name), quantityIn(podLimits, name)];
      if (limit === undefined || podLimit === undefined || compareQuantities(limit, podLimit) <= 0) continue;
      report(
        'invalid-combination',
        [list, index, 'resources', 'limits', name],
        "is more than the pod's limit",
        "lower it, or raise the pod's limit",
      );
    }
  }
}
