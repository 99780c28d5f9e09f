import { isPlatformKind, isWorkloadKind, type PinionKind } from '../api';

/** Names one document in the work queue: `Kind/namespace/name`, the namespace empty for platform kinds. */
export type WorkKey = string;

/** What a work key names. */
export interface KeyedDocument {
  readonly kind: PinionKind;
  readonly namespace: string;
  readonly name: string;
}

/** The key of a document. */
export const workKey = (kind: string, namespace: string | undefined, name: string): WorkKey =>
  `${kind}/${namespace ?? ''}/${name}`;

/** Returns the resource that a key names. Throws where it is not the key of a pinion kind. */
export function documentOf(key: WorkKey): KeyedDocument {
  const [kind, namespace = '', name = ''] = key.split('/');
  if (!isWorkloadKind(kind) && !isPlatformKind(kind)) throw new Error(`${key} names no document of pinion`);
  return { kind, namespace, name };
}
