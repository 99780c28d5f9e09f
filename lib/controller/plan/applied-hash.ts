import { metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type OwnerReference } from '../../kube';
import { contentDigest } from '../observed/content-digest';
import { fixedPart } from './fixed-part';

/** An object as it is applied, and the hash of it that its annotation carries. */
export interface Finished {
  readonly object: KubernetesObject;
  readonly hash: string;
}

const known = new WeakMap<KubernetesObject, { readonly owner: string; readonly finished: Finished }>();

/**
 * Adds the owner and the hash of the whole; remembered for as long as the object is.
 *
 * Hash of a Job: of the whole, a dot, and of what can never change in it, which `fixed` says where it is not that of this object.
 */
export function finished(object: KubernetesObject, owner: OwnerReference | undefined, fixed?: string): Finished {
  const mark = `${owner?.uid ?? ''}/${fixed ?? ''}`;
  const before = known.get(object);
  if (before?.owner === mark) return before.finished;
  const made = finish(object, owner, fixed);
  known.set(object, { owner: mark, finished: made });
  return made;
}

function finish(object: KubernetesObject, owner: OwnerReference | undefined, fixed: string | undefined): Finished {
  const { apiVersion, kind, metadata, ...body } = object;
  const ownerReferences = owner && [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const owned = { ...metadata, ...(ownerReferences && { ownerReferences }) };
  const whole = contentDigest(JSON.stringify({ apiVersion, kind, metadata: owned, ...body }));
  const part = kind === 'Job' ? `.${fixed ?? contentDigest(JSON.stringify(fixedPart(object)))}` : '';
  const hash = whole + part;
  const annotations = { ...metadata.annotations, [metadataKeys.lastAppliedHash]: hash };
  return { hash, object: { apiVersion, kind, metadata: { ...owned, annotations }, ...body } };
}

/** The part of the hash of a Job that stands for what can never change in it. */
export const fixedHash = (hash: string | undefined): string | undefined => hash?.split('.')[1];
