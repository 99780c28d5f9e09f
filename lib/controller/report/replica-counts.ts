import { fieldsOf } from '../observed/child-status';
import { type DesiredObjectStatus } from './desired-object-status';
import { type PodCounts } from './object-status';

/** Returns the sum of a pod count over all objects. */
export const sumOfCounts = (statuses: readonly DesiredObjectStatus[], count: keyof PodCounts): number =>
  statuses.reduce((sum, { status }) => sum + (status.counts?.[count] ?? 0), 0);

/** Returns the replica counts of a status. */
export const replicaCounts = (statuses: readonly DesiredObjectStatus[]) => ({
  replicas: sumOfCounts(statuses, 'existing'),
  readyReplicas: sumOfCounts(statuses, 'ready'),
  updatedReplicas: sumOfCounts(statuses, 'updated'),
  availableReplicas: sumOfCounts(statuses, 'available'),
});

/** Returns the status field with the label selector of the pods, which autoscalers read. */
export function selectorField(statuses: readonly DesiredObjectStatus[]): { readonly selector?: string } {
  const [main = {}, ...others] = statuses
    .filter(({ object: { kind } }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ object }) => fieldsOf(object, 'spec', 'selector', 'matchLabels'));
  // Labels by which the sets differ would select only some of the pods.
  const labels = Object.entries(main).filter(([key, value]) => others.every((other) => other[key] === value));
  return labels.length === 0
    ? {}
    : {
        selector: labels
          .map(([key, value]) => `${key}=${String(value)}`)
          .sort()
          .join(','),
      };
}
