import { numberAt, trueCondition, valueAt } from '../../api';
import { type LiveObject } from '../../kube';

const isComplete = (live: LiveObject): boolean => trueCondition(live['status'], 'Complete') !== undefined;

/** Whether its controller has seen the newest form of a native object; true for kinds that no controller has to see. */
export function isNativeSeen(live: LiveObject): boolean {
  if (live.kind === 'Job') return valueAt(live, ['status', 'startTime']) !== undefined || isComplete(live);
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(live.kind)) return true;
  return (numberAt(live, 'status', 'observedGeneration') ?? 0) >= (live.metadata.generation ?? 1);
}

const status = (live: LiveObject, field: string): number => numberAt(live, 'status', field) ?? 0;

/** Whether a native object does what it is for; true for kinds that only have to be there. */
export function isNativeReady(live: LiveObject): boolean {
  if (!isNativeSeen(live)) return false;
  const wanted = numberAt(live, 'spec', 'replicas') ?? 1;
  if (live.kind === 'Deployment')
    return (
      status(live, 'updatedReplicas') === wanted &&
      status(live, 'availableReplicas') === wanted &&
      status(live, 'replicas') === wanted
    );
  if (live.kind === 'StatefulSet')
    return (
      status(live, 'readyReplicas') === wanted &&
      valueAt(live, ['status', 'currentRevision']) === valueAt(live, ['status', 'updateRevision'])
    );
  if (live.kind === 'DaemonSet') {
    const all = status(live, 'desiredNumberScheduled');
    return all > 0 && status(live, 'numberReady') === all && status(live, 'updatedNumberScheduled') === all;
  }
  return live.kind !== 'Job' || isComplete(live);
}
