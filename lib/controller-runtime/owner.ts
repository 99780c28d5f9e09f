import { type LiveObject, type OwnerReference, type SentObject } from '../kube';

/**
 * Returns an object with a controller reference to its owner: it is deleted with the owner, and `owns` of a controller maps
 * it to the owner. Throws if another object controls it, or if a namespaced owner is in another namespace.
 */
export function setControllerReference<T extends SentObject>(owner: LiveObject, object: T): T {
  const { apiVersion, kind, metadata } = owner;
  const owners = (object.metadata as { readonly ownerReferences?: readonly OwnerReference[] }).ownerReferences ?? [];
  const other = owners.find(({ controller, uid }) => controller && uid !== metadata.uid);
  if (other) throw new Error(`${object.kind} ${object.metadata.name} is controlled by ${other.kind} ${other.name}`);
  if (metadata.namespace !== undefined && metadata.namespace !== object.metadata.namespace)
    throw new Error(
      `${kind} ${metadata.name} of ${metadata.namespace} cannot own ${object.kind} ${object.metadata.name} of ${object.metadata.namespace ?? 'the cluster'}`,
    );
  const reference: OwnerReference = {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const others = owners.filter(({ uid }) => uid !== metadata.uid);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, reference] } };
}

/** Returns whether an object is controlled by an owner. */
export const isControlledBy = ({ metadata }: LiveObject, { metadata: { uid } }: LiveObject): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => owner.controller && owner.uid === uid);
