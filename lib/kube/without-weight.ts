import { type LiveObject } from './live-object';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object without what nobody reads from a store: managed fields and kubectl's copy of the last applied object. */
export function withoutWeight(object: LiveObject): LiveObject {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  if (!annotations) return { ...object, metadata };
  const { [lastApplied]: __, ...kept } = annotations;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
