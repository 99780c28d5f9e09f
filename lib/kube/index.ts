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
  type ListSelection,
  type ObjectPlace,
  type PatchOptions,
  type RemoveOptions,
  type RequestOptions,
  type Selection,
  type WatchEvent,
  type WatchSelection,
} from './kube-client';
export { allPages } from './all-pages';
export { type Clock } from './clock';
export { pause } from './pause';
export { errorText, isLogLevel, jsonLog, type Log, type LogFields, type LogLevel } from './log';

// Connection: where the server is, and every request that is made of it.
export { type ConnectionSettings, type Impersonation } from './connection-settings';
export { loadKubeConfig, type KubeConfigOptions } from './kube-config';
export { inCluster, type InClusterOptions } from './in-cluster';
export { ownCluster } from './own-cluster';
export { connect, type ConnectOptions } from './connect';
export { clientMetrics, type ClientMetrics } from './client-metrics';

// Mirrors: the cluster as informers know it, and the queue of what changed.
export { BackOff, type BackOffOptions } from './back-off';
export { Reflector, type ReflectorOptions, type ReflectorTuning } from './reflector';
export { Store, type Change, type Indexers, type StoreOptions } from './store';
export { type StoreReader } from './store-reader';
export { SharedInformer, type InformerHandler, type InformerOptions } from './shared-informer';
export { InformerFactory, type InformerFactoryOptions, type InformerRequest } from './informer-factory';
export { withoutWeight } from './without-weight';
export { type Urgency } from './lanes';
export { WorkQueue, type WorkQueueOptions, type WorkResult } from './work-queue';
export { QueueMetrics, type QueueMeter } from './queue-metrics';

// Leadership: one process at a time.
export { electLeader, raised, type Leader, type LeaderElection } from './elect-leader';
export { runForLease, type Election, type LeaseOptions } from './lease-election';

// Events: what people see of what happened.
export { EventRecorder, type EventObject, type EventRecorderOptions } from './event-recorder';
export { type EventFacts } from './event-correlator';
