import { type KubernetesObject } from '../objects/kubernetes-object';
import { contentDigest } from './content-digest';

/** Owner of an object, as its reference says. */
export interface ObjectOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Returns the metadata of an object with the reference to its controlling owner. */
export const ownedMetadata = (
  { metadata }: KubernetesObject,
  owner: ObjectOwner | undefined,
): KubernetesObject['metadata'] => {
  const { apiVersion, kind, name, uid } = owner ?? { apiVersion: '', kind: '', name: '', uid: '' };
  const reference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  return { ...metadata, ...(owner && { ownerReferences: [reference] }) };
};

/** Returns the hash of an object as it is applied: it is recorded in an annotation, and differs if anything differs. */
export function appliedObjectHash(object: KubernetesObject, owner: ObjectOwner | undefined): string {
  const { apiVersion, kind, metadata: _, ...body } = object;
  return contentDigest(JSON.stringify({ apiVersion, kind, metadata: ownedMetadata(object, owner), ...body }));
}
