import { type LiveObject } from '../kube';

/** Returns whether an object has a finalizer. */
export const containsFinalizer = ({ metadata }: LiveObject, finalizer: string): boolean =>
  (metadata.finalizers ?? []).includes(finalizer);

/** Returns an object with a finalizer, for `client.update`; the same one if it has it. */
export const addFinalizer = (object: LiveObject, finalizer: string): LiveObject =>
  containsFinalizer(object, finalizer)
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] } };

/** Returns an object without a finalizer, for `client.update`; the same one if it does not have it. */
export function removeFinalizer(object: LiveObject, finalizer: string): LiveObject {
  if (!containsFinalizer(object, finalizer)) return object;
  const finalizers = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
