/** The API server, met once: connection, lists and watches, shared stores, work queue, lease, apply, events. */
export {
  keyOf,
  type LiveMetadata,
  type LiveObject,
  type ManagedFields,
  type OwnerReference,
  type SentObject,
} from './live-object';
export { collectionPath, objectPath, resourceOf, type Resource } from './resource';
export { ApiError, isApiError } from './api-error';
export {
  type ApplyOptions,
  type CallOptions,
  type KubeClient,
  type ListPage,
  type ObjectPlace,
  type Selection,
  type WatchEvent,
} from './kube-client';
export { type Clock } from './clock';
