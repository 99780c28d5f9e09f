import { addAmounts, amountsOf, group, pinionKinds, type ResourceList, type Quantity, type Workload } from '../../api';
import { footprintOf, podAmounts, podsAtPeak, type DaemonNodes, type SomeObject } from './footprint';
import { expanderOf } from '../kinds/kind-expanders';

/**
 * Returns the peak quota usage of a workload and its objects.
 *
 * Like `footprintOf`, including the custom resource itself. If the controller limits concurrent Jobs, only the largest
 * Jobs up to that limit count, per resource: the controller suspends the others.
 */
export function workloadFootprint(
  workload: Workload,
  objects: readonly SomeObject[],
  nodes: DaemonNodes = 0,
): ResourceList {
  const resource = amountsOf({ [`count/${pinionKinds[workload.kind].plural}.${group}`]: 1 });
  const concurrency = expanderOf(workload).concurrentJobs(workload);
  if (concurrency === undefined) return addAmounts(resource, footprintOf(objects, nodes));
  const objectsWithoutJobPods = objects.map((object) => (object.kind === 'Job' ? withoutPods(object) : object));
  return [resource, footprintOf(objectsWithoutJobPods, nodes), largestJobs(objects, concurrency)].reduce(addAmounts);
}

const withoutPods = ({ kind, metadata }: SomeObject): SomeObject => ({ kind, metadata, spec: { parallelism: 0 } });

function largestJobs(objects: readonly SomeObject[], limit: number): ResourceList {
  const usages = objects.flatMap((object) => {
    const peak = object.kind === 'Job' ? podsAtPeak(object, objects) : undefined;
    return peak ? [podAmounts(peak.pod, peak.count)] : [];
  });
  const resources = new Set(usages.flatMap((amounts) => Object.keys(amounts)));
  return Object.fromEntries(
    [...resources].map((resource) => {
      const amounts = usages.flatMap((usage) => usage[resource] ?? []).sort(descending);
      return [resource, amounts.slice(0, limit).reduce(sum)];
    }),
  );
}

const descending = (a: Quantity, b: Quantity): number => (a.nanos > b.nanos ? -1 : a.nanos < b.nanos ? 1 : 0);
const sum = (a: Quantity, b: Quantity): Quantity => ({ nanos: a.nanos + b.nanos, format: a.format });
