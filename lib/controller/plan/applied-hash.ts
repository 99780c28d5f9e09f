import { metadataKeys } from '../../api';
import { appliedObjectHash, contentDigest, ownedMetadata, type KubernetesObject } from '../../expand';
import { type OwnerReference } from '../../client';
import { immutableFields } from './immutable-fields';

/** Object to apply, and the hash in its last-applied annotation. */
export interface HashedObject {
  readonly object: KubernetesObject;
  readonly hash: string;
}

const cache = new WeakMap<KubernetesObject, { readonly owner: string; readonly hashed: HashedObject }>();

/**
 * Adds the owner and the hash of the object; cached as long as the object is referenced.
 *
 * The hash of a Job has two parts, separated by a dot: of the whole object, and of its immutable fields.
 * `immutableHash` overrides the second part.
 */
export function withAppliedHash(
  object: KubernetesObject,
  owner: OwnerReference | undefined,
  immutableHash?: string,
): HashedObject {
  const cacheKey = `${owner?.uid ?? ''}/${immutableHash ?? ''}`;
  const cached = cache.get(object);
  if (cached?.owner === cacheKey) return cached.hashed;
  const hashed = withHash(object, owner, immutableHash);
  cache.set(object, { owner: cacheKey, hashed });
  return hashed;
}

function withHash(
  object: KubernetesObject,
  owner: OwnerReference | undefined,
  immutableHash: string | undefined,
): HashedObject {
  const { apiVersion, kind, metadata, ...body } = object;
  const objectHash = appliedObjectHash(object, owner);
  const suffix = kind === 'Job' ? `.${immutableHash ?? contentDigest(JSON.stringify(immutableFields(object)))}` : '';
  const hash = objectHash + suffix;
  const annotations = { ...metadata.annotations, [metadataKeys.lastAppliedHash]: hash };
  return { hash, object: { apiVersion, kind, metadata: { ...ownedMetadata(object, owner), annotations }, ...body } };
}

/** Returns the hash of a Job's immutable fields from its hash. */
export const immutableFieldsHash = (hash: string | undefined): string | undefined => hash?.split('.')[1];
