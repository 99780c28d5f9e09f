import { type LiveObject } from '../objects/live-object';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns an object without managed fields and kubectl's last-applied annotation, which no reader of a cache needs. */
export function trimForCache(object: LiveObject): LiveObject {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  if (!annotations) return { ...object, metadata };
  const { [lastApplied]: __, ...kept } = annotations;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
