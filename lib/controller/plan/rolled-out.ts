import { type Child } from '../observed/child';

/** Returns whether every pod of an object is of the newest revision; true for objects without revisions. */
export function isRolledOut({ kind, status, generation }: Child): boolean {
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet') return true;
  const total = status[kind === 'DaemonSet' ? 'desiredNumberScheduled' : 'replicas'] ?? 0;
  const updated = status[kind === 'DaemonSet' ? 'updatedNumberScheduled' : 'updatedReplicas'] ?? 0;
  return status['observedGeneration'] === generation && total === updated;
}
