import { addAmounts, amountsOf, group, pinionKinds, type ResourceList, type Quantity, type Workload } from '../../api';
import { footprintOf, podAmounts, podsAtPeak, type DaemonNodes, type SomeObject } from './footprint';
import { expanderOf } from '../kinds/kind-expanders';

/**
 * Returns the peak quota usage of a workload and its objects.
 *
 * Like `footprintOf`, including the custom resource itself. Of separate Jobs, only as many count as run at the same
 * time, the largest per resource: the controller suspends the others.
 */
export function workloadFootprint(
  workload: Workload,
  objects: readonly SomeObject[],
  nodes: DaemonNodes = 0,
): ResourceList {
  const resource = amountsOf({ [`count/${pinionKinds[workload.kind].plural}.${group}`]: 1 });
  const atOnce = expanderOf(workload).concurrentJobs(workload);
  if (atOnce === undefined) return addAmounts(resource, footprintOf(objects, nodes));
  const bare = objects.map((object) => (object.kind === 'Job' ? withoutPods(object) : object));
  return [resource, footprintOf(bare, nodes), largestJobs(objects, atOnce)].reduce(addAmounts);
}

const withoutPods = ({ kind, metadata }: SomeObject): SomeObject => ({ kind, metadata, spec: { parallelism: 0 } });

function largestJobs(objects: readonly SomeObject[], number: number): ResourceList {
  const each = objects.flatMap((object) => {
    const peak = object.kind === 'Job' ? podsAtPeak(object, objects) : undefined;
    return peak ? [podAmounts(peak.pod, peak.count)] : [];
  });
  const resources = new Set(each.flatMap((amounts) => Object.keys(amounts)));
  return Object.fromEntries(
    [...resources].map((resource) => {
      const amounts = each.flatMap((one) => one[resource] ?? []).sort(byNanosFalling);
      return [resource, amounts.slice(0, number).reduce(sum)];
    }),
  );
}

const byNanosFalling = (a: Quantity, b: Quantity): number => (a.nanos > b.nanos ? -1 : a.nanos < b.nanos ? 1 : 0);
const sum = (a: Quantity, b: Quantity): Quantity => ({ nanos: a.nanos + b.nanos, format: a.format });
