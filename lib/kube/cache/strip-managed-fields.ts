import { type LiveObject } from '../objects/live-object';

/** Returns an object without managed fields, which no reader of a cache needs; the API server keeps them when it is sent back. */
export function stripManagedFields(object: LiveObject): LiveObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
