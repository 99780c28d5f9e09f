import { type Child } from '../observed/child';

/** Whether every pod of an object that has versions is of the newest one; true for objects without versions. */
export function isRolledOut({ kind, status, generation }: Child): boolean {
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet') return true;
  const total = status[kind === 'DaemonSet' ? 'desiredNumberScheduled' : 'replicas'] ?? 0;
  const updated = status[kind === 'DaemonSet' ? 'updatedNumberScheduled' : 'updatedReplicas'] ?? 0;
  return status['observedGeneration'] === generation && total === updated;
}
