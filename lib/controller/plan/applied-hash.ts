import { metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type OwnerReference } from '../../kube';
import { contentDigest } from '../observed/content-digest';
import { fixedPart } from './fixed-part';

/** Object to apply, and the hash in its annotation. */
export interface HashedObject {
  readonly object: KubernetesObject;
  readonly hash: string;
}

const known = new WeakMap<KubernetesObject, { readonly owner: string; readonly hashed: HashedObject }>();

/**
 * Adds the owner and the hash of the whole; cached as long as the object is referenced.
 *
 * The hash of a Job has two parts, separated by a dot: of the whole, and of its immutable fields. `fixed` overrides the
 * second part.
 */
export function withAppliedHash(
  object: KubernetesObject,
  owner: OwnerReference | undefined,
  fixed?: string,
): HashedObject {
  const mark = `${owner?.uid ?? ''}/${fixed ?? ''}`;
  const before = known.get(object);
  if (before?.owner === mark) return before.hashed;
  const made = withHash(object, owner, fixed);
  known.set(object, { owner: mark, hashed: made });
  return made;
}

function withHash(
  object: KubernetesObject,
  owner: OwnerReference | undefined,
  fixed: string | undefined,
): HashedObject {
  const { apiVersion, kind, metadata, ...body } = object;
  const ownerReferences = owner && [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const owned = { ...metadata, ...(ownerReferences && { ownerReferences }) };
  const whole = contentDigest(JSON.stringify({ apiVersion, kind, metadata: owned, ...body }));
  const part = kind === 'Job' ? `.${fixed ?? contentDigest(JSON.stringify(fixedPart(object)))}` : '';
  const hash = whole + part;
  const annotations = { ...metadata.annotations, [metadataKeys.lastAppliedHash]: hash };
  return { hash, object: { apiVersion, kind, metadata: { ...owned, annotations }, ...body } };
}

/** Returns the part of a Job's hash that stands for its immutable fields. */
export const fixedHash = (hash: string | undefined): string | undefined => hash?.split('.')[1];
