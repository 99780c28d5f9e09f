import { type LiveObject } from '../objects/live-object';
import { stripManagedFields } from './strip-managed-fields';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns an object without managed fields and kubectl's last-applied annotation, which no reader of a cache needs. */
export function trimForCache(object: LiveObject): LiveObject {
  const stripped = stripManagedFields(object);
  const { annotations } = stripped.metadata;
  if (!annotations) return stripped;
  const { [lastApplied]: _, ...kept } = annotations;
  return { ...stripped, metadata: { ...stripped.metadata, annotations: kept } };
}
