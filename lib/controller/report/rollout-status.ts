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
const isObserved = ({ status, generation }: Child): boolean => statusNumber(status, 'observedGeneration') >= generation;

const unobserved = (kind: string, counts: PodCounts) =>
  progressing(counts, `waits for the ${kind} controller to observe the change`);

/**
 * Returns the status of a Deployment: ready when every pod is of the newest revision and available, and no older one is
 * left.
 */
export function deploymentStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    desired: child.scale?.replicas ?? desiredReplicasOf(desired),
    existing: statusNumber(status, 'replicas'),
    ready: statusNumber(status, 'readyReplicas'),
    updated: statusNumber(status, 'updatedReplicas'),
    available: statusNumber(status, 'availableReplicas'),
  };
  if (!isObserved(child)) return unobserved('Deployment', counts);
  const progress = conditionOf(status, 'Progressing');
  if (progress?.reason === 'ProgressDeadlineExceeded') {
    const message = `${availability(counts)}, and the rollout has made no progress within its deadline`;
    return { state: 'Failed', message, counts };
  }
  if (trueCondition(status, 'ReplicaFailure')) return progressing(counts, 'cannot create its pods', 'FailedCreate');
  const progressMessage = rolloutProgress(counts);
  if (progressMessage !== undefined) return progressing(counts, progressMessage);
  return progress && progress.reason !== rolledOut
    ? progressing(counts, 'waits for the Deployment controller to finish the rollout')
    : { state: 'Ready', counts };
}

/** Returns the status of a StatefulSet; pods below the partition, or all with OnDelete, may be of an older revision. */
export function statefulSetStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    desired: child.scale?.replicas ?? desiredReplicasOf(desired),
    existing: statusNumber(status, 'replicas'),
    ready: statusNumber(status, 'readyReplicas'),
    updated: statusNumber(status, 'updatedReplicas'),
    available: statusNumber(status, 'availableReplicas'),
  };
  if (!isObserved(child)) return unobserved('StatefulSet', counts);
  const strategy = fieldsOf(desired, 'spec', 'updateStrategy');
  const isRollingUpdate = strategy['type'] !== 'OnDelete';
  const partition = statusNumber(fieldsOf(strategy, 'rollingUpdate'), 'partition');
  const [current, update] = [statusString(status, 'currentRevision'), statusString(status, 'updateRevision')];
  // Kubernetes counts no pod as updated once all are.
  const updated = current === update ? Math.max(counts.updated, counts.existing) : counts.updated;
  const progressMessage = rolloutProgress(
    { ...counts, updated: isRollingUpdate ? updated : counts.existing },
    isRollingUpdate ? partition : 0,
  );
  if (progressMessage !== undefined) return progressing({ ...counts, updated }, progressMessage);
  if (isRollingUpdate && partition === 0 && current !== update) {
    return progressing(counts, 'waits for the StatefulSet controller to finish the rollout');
  }
  const outdated = counts.existing - updated;
  const message =
    outdated > 0
      ? `${pods(outdated)} of the older version ${outdated === 1 ? 'is' : 'are'} kept as requested`
      : undefined;
  return { state: 'Ready', counts: { ...counts, updated }, ...(message !== undefined && { message }) };
}

/** Returns the status of a DaemonSet: ready when the newest revision is available on every desired node. */
export function daemonSetStatus(desired: KubernetesObject, child: Child): ObjectStatus {
  const { status } = child;
  const counts: PodCounts = {
    desired: statusNumber(status, 'desiredNumberScheduled'),
    existing: statusNumber(status, 'currentNumberScheduled'),
    ready: statusNumber(status, 'numberReady'),
    updated: statusNumber(status, 'updatedNumberScheduled'),
    available: statusNumber(status, 'numberAvailable'),
  };
  if (!isObserved(child)) return unobserved('DaemonSet', counts);
  const isRollingUpdate = fieldsOf(desired, 'spec', 'updateStrategy')['type'] !== 'OnDelete';
  const { desired: desiredNodes, updated, available } = counts;
  if (counts.existing < desiredNodes)
    return progressing(counts, `${counts.existing} of ${nodes(desiredNodes)} have a pod`);
  if (isRollingUpdate && updated < desiredNodes)
    return progressing(counts, `${updated} of ${nodes(desiredNodes)} have the newest version`);
  if (available < desiredNodes) return progressing(counts, `is available on ${available} of ${nodes(desiredNodes)}`);
  const outdated = desiredNodes - updated;
  const message =
    outdated > 0 ? `${nodes(outdated)} ${outdated === 1 ? 'has' : 'have'} the older version as requested` : undefined;
  return { state: 'Ready', counts, ...(message !== undefined && { message }) };
}

/** Describes the remaining work of a rollout; `keptPods` may be of an older revision. */
function rolloutProgress(counts: PodCounts, keptPods = 0): string | undefined {
  const { desired, existing, updated } = counts;
  if (updated < desired - keptPods) return `${updated} of ${pods(desired - keptPods)} are of the newest version`;
  if (existing < desired) return `${existing} of ${pods(desired)} exist`;
  if (keptPods === 0 && updated < existing)
    return `${pods(existing - updated)} of the older version still to be replaced`;
  if (existing > desired) return `${pods(existing - desired)} still to be removed`;
  return counts.available < desired || counts.ready < desired ? availability(counts) : undefined;
}

const availability = ({ desired, ready, available }: PodCounts): string =>
  `${Math.min(ready, available)} of ${pods(desired)} are available`;

const desiredReplicasOf = (desired: KubernetesObject): number => {
  const replicas = (desired['spec'] as Fields | undefined)?.['replicas'];
  return typeof replicas === 'number' ? replicas : 1;
};

const pods = (count: number): string => (count === 1 ? '1 pod' : `${count} pods`);
const nodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);
