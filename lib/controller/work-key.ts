import { isPlatformKind, isWorkloadKind, type PinionKind } from '../api';

/** Key of a resource in the work queue: `Kind/namespace/name`, with an empty namespace for platform kinds. */
export type WorkKey = string;

/** Resource named by a work key. */
export interface ResourceKey {
  readonly kind: PinionKind;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key of a resource. */
export const workKey = (kind: string, namespace: string | undefined, name: string): WorkKey =>
  `${kind}/${namespace ?? ''}/${name}`;

/** Returns the resource of a key. Throws if it is not the key of a pinion kind. */
export function parseWorkKey(key: WorkKey): ResourceKey {
  const [kind, namespace = '', name = ''] = key.split('/');
  if (!isWorkloadKind(kind) && !isPlatformKind(kind)) throw new Error(`${key} is not the key of a pinion resource`);
  return { kind, namespace, name };
}
