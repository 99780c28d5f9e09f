import { numberAt } from '../../lib/api';
import { type KubectlObject } from './kubectl-view';

/** Returns whether all Deployments, StatefulSets and DaemonSets run only pods of their current template. */
export const rolloutsComplete = (objects: readonly KubectlObject[]): boolean => objects.every(isComplete);

function isComplete({ kind, metadata, spec, status }: KubectlObject): boolean {
  if (kind === 'Pod') return metadata.deletionTimestamp === undefined;
  const { generation } = metadata as { readonly generation?: number };
  const count = (field: string): number => numberAt(status, field) ?? 0;
  if ((numberAt(status, 'observedGeneration') ?? 0) !== generation) return false;
  if (kind === 'DaemonSet') {
    const desired = count('desiredNumberScheduled');
    return count('updatedNumberScheduled') === desired && count('numberAvailable') === desired;
  }
  const replicas = numberAt(spec, 'replicas') ?? 1;
  if (kind === 'StatefulSet' && status?.['currentRevision'] !== status?.['updateRevision']) return false;
  return (
    (kind === 'StatefulSet' || count('updatedReplicas') === replicas) &&
    count('replicas') === replicas &&
    count('readyReplicas') === replicas
  );
}
