import { type Workload } from '../../../api';
import { memberHost, trainingOf } from './training-groups';

/** Returns the DNS names of the members of a training job by role; empty for a single member, which has none. */
export function trainingHosts(workload: Workload<'PinterestTrainingJob'>): ReadonlyMap<string, readonly string[]> {
  const { groups, service } = trainingOf(workload);
  const hosts = new Map<string, readonly string[]>();
  if (service === undefined) return hosts;
  for (const group of groups) {
    let first = 0;
    for (const role of group.roles) {
      const count = workload.spec.roles[role]?.replicas ?? 0;
      const indexes = Array.from({ length: count }, (_, index) => first + index);
      hosts.set(
        role,
        indexes.map((index) => memberHost(workload, group, index, service)),
      );
      first += count;
    }
  }
  return hosts;
}
