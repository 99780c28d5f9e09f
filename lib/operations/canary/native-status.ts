import { numberAt, trueCondition, valueAt } from '../../api';
import { type LiveObject } from '../../kube';

const isComplete = (live: LiveObject): boolean => trueCondition(live['status'], 'Complete') !== undefined;

/** Returns whether its controller observed the latest generation of an object; true for kinds without a controller. */
export function isNativeObserved(live: LiveObject): boolean {
  if (live.kind === 'Job') return valueAt(live, ['status', 'startTime']) !== undefined || isComplete(live);
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(live.kind)) return true;
  return (numberAt(live, 'status', 'observedGeneration') ?? 0) >= (live.metadata.generation ?? 1);
}

const status = (live: LiveObject, field: string): number => numberAt(live, 'status', field) ?? 0;

/** Returns whether a native object is ready; true for kinds that only have to exist. */
export function isNativeReady(live: LiveObject): boolean {
  if (!isNativeObserved(live)) return false;
  const desired = numberAt(live, 'spec', 'replicas') ?? 1;
  if (live.kind === 'Deployment')
    return (
      status(live, 'updatedReplicas') === desired &&
      status(live, 'availableReplicas') === desired &&
      status(live, 'replicas') === desired
    );
  if (live.kind === 'StatefulSet')
    return (
      status(live, 'readyReplicas') === desired &&
      valueAt(live, ['status', 'currentRevision']) === valueAt(live, ['status', 'updateRevision'])
    );
  if (live.kind === 'DaemonSet') {
    const all = status(live, 'desiredNumberScheduled');
    return all > 0 && status(live, 'numberReady') === all && status(live, 'updatedNumberScheduled') === all;
  }
  return live.kind !== 'Job' || isComplete(live);
}
