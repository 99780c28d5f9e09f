import { keyOf, type LiveObject } from '../kube';

/** Object to reconcile. */
export interface ReconcileRequest {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Result of a reconcile. */
export interface ReconcileResult {
  /** Milliseconds after which the object is reconciled again. @default - when it changes */
  readonly requeueAfter?: number;
  /** Whether to reconcile again after the back-off, as after an error. @default false */
  readonly requeue?: boolean;
}

/** Returns the key of a request in a work queue, `namespace/name` or the name, which is also its key in a cache. */
export const keyOfRequest = ({ namespace, name }: ReconcileRequest): string => keyOf({ metadata: { namespace, name } });

/** Returns the request of a key. */
export function requestOfKey(key: string): ReconcileRequest {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}

/** Returns the request to reconcile an object. */
export const requestOf = ({ metadata: { namespace = '', name } }: LiveObject): ReconcileRequest => ({
  namespace,
  name,
});
