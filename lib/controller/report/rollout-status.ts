import { conditionOf, trueCondition } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { fieldsOf, statusNumber, statusString } from '../observed/child-status';
import { type ConditionReason } from '../reasons';
import { type PodCounts, type ObjectStatus } from './object-status';

type Fields = Readonly<Record<string, unknown>>;

/** Reason of a Deployment's condition Progressing once its newest revision is complete. */
const rolledOut = 'NewReplicaSetAvailable';

const progressing = (
  counts: PodCounts,
  message: string,
  reason: ConditionReason = 'RolloutInProgress',
): ObjectStatus => ({
  state: 'Progressing',
  reason,
  message,
  counts,
});

/** Returns whether the controller of an object has observed its newest generation. */
const isSeen = ({ status, generation }: Child): boolean => statusNumber(status, 'observedGeneration') >= generation;

const unseen = (kind: string, counts: PodCounts) => progressing(counts, `waits for the ${kind} controller to see it`);

/**
 * Returns the status of a Deployment: ready when every pod is of the newest revision and available, and no older one is
 * left.
 */
export function deploymentStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    wanted: child.scale?.replicas ?? wantedOf(desired),
    there: statusNumber(status, 'replicas'),
    ready: statusNumber(status, 'readyReplicas'),
    updated: statusNumber(status, 'updatedReplicas'),
    available: statusNumber(status, 'availableReplicas'),
  };
  if (!isSeen(child)) return unseen('Deployment', counts);
  const progress = conditionOf(status, 'Progressing');
  if (progress?.reason === 'ProgressDeadlineExceeded') {
    const message = `${availability(counts)}, and the rollout has made no progress within its deadline`;
    return { state: 'Failed', message, counts };
  }
  if (trueCondition(status, 'ReplicaFailure')) return progressing(counts, 'cannot create its pods', 'FailedCreate');
  const open = openRollout(counts);
  if (open !== undefined) return progressing(counts, open);
  return progress && progress.reason !== rolledOut
    ? progressing(counts, 'waits for the Deployment controller to end the rollout')
    : { state: 'Ready', counts };
}

/** Returns the status of a StatefulSet; pods below the partition, or all with OnDelete, may be of an older revision. */
export function statefulSetStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    wanted: child.scale?.replicas ?? wantedOf(desired),
    there: statusNumber(status, 'replicas'),
    ready: statusNumber(status, 'readyReplicas'),
    updated: statusNumber(status, 'updatedReplicas'),
    available: statusNumber(status, 'availableReplicas'),
  };
  if (!isSeen(child)) return unseen('StatefulSet', counts);
  const strategy = fieldsOf(desired, 'spec', 'updateStrategy');
  const rolls = strategy['type'] !== 'OnDelete';
  const partition = statusNumber(fieldsOf(strategy, 'rollingUpdate'), 'partition');
  const [current, update] = [statusString(status, 'currentRevision'), statusString(status, 'updateRevision')];
  // Kubernetes counts no pod as updated once all are.
  const updated = current === update ? Math.max(counts.updated, counts.there) : counts.updated;
  const open = openRollout({ ...counts, updated: rolls ? updated : counts.there }, rolls ? partition : 0);
  if (open !== undefined) return progressing({ ...counts, updated }, open);
  if (rolls && partition === 0 && current !== update) {
    return progressing(counts, 'waits for the StatefulSet controller to end the rollout');
  }
  const left = counts.there - updated;
  const message =
    left > 0 ? `${pods(left)} of the older version ${left === 1 ? 'is' : 'are'} kept as requested` : undefined;
  return { state: 'Ready', counts: { ...counts, updated }, ...(message !== undefined && { message }) };
}

/** Returns the status of a DaemonSet: ready when the newest revision is available on every desired node. */
export function daemonSetStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    wanted: statusNumber(status, 'desiredNumberScheduled'),
    there: statusNumber(status, 'currentNumberScheduled'),
    ready: statusNumber(status, 'numberReady'),
    updated: statusNumber(status, 'updatedNumberScheduled'),
    available: statusNumber(status, 'numberAvailable'),
  };
  if (!isSeen(child)) return unseen('DaemonSet', counts);
  const rolls = fieldsOf(desired, 'spec', 'updateStrategy')['type'] !== 'OnDelete';
  const { wanted, updated, available } = counts;
  if (counts.there < wanted) return progressing(counts, `${counts.there} of ${nodes(wanted)} have a pod`);
  if (rolls && updated < wanted) return progressing(counts, `${updated} of ${nodes(wanted)} have the newest version`);
  if (available < wanted) return progressing(counts, `is available on ${available} of ${nodes(wanted)}`);
  const left = wanted - updated;
  const message = left > 0 ? `${nodes(left)} ${left === 1 ? 'has' : 'have'} the older version as requested` : undefined;
  return { state: 'Ready', counts, ...(message !== undefined && { message }) };
}

/** Describes what is left of a rollout; `kept` pods may be of an older revision. */
function openRollout(counts: PodCounts, kept = 0): string | undefined {
  const { wanted, there, updated } = counts;
  if (updated < wanted - kept) return `${updated} of ${pods(wanted - kept)} are of the newest version`;
  if (there < wanted) return `${there} of ${pods(wanted)} are there`;
  if (kept === 0 && updated < there) return `${pods(there - updated)} of the older version still there`;
  if (there > wanted) return `${pods(there - wanted)} too many still there`;
  return counts.available < wanted || counts.ready < wanted ? availability(counts) : undefined;
}

const availability = ({ wanted, ready, available }: PodCounts): string =>
  `${Math.min(ready, available)} of ${pods(wanted)} are available`;

const wantedOf = (desired: KubernetesObject): number => {
  const replicas = (desired['spec'] as Fields | undefined)?.['replicas'];
  return typeof replicas === 'number' ? replicas : 1;
};

const pods = (count: number): string => (count === 1 ? '1 pod' : `${count} pods`);
const nodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);
