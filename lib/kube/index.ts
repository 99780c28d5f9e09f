/** Client of the API server: connection, watches, caches, work queue, lease, apply, events. */
export {
  keyOf,
  type LiveMetadata,
  type LiveObject,
  type ManagedFields,
  type OwnerReference,
  type SentObject,
} from './objects/live-object';
export { collectionPath, objectPath, resourceOf, type Resource } from './objects/resource';
export { ApiError, isApiError } from './transport/api-error';
export {
  type ApplyOptions,
  type CallOptions,
  type KubeClient,
  type ListPage,
  type ListSelection,
  type ObjectKey,
  type PatchOptions,
  type RemoveOptions,
  type RequestOptions,
  type Selection,
  type WatchEvent,
  type WatchSelection,
} from './client/kube-client';
export { listAllPages } from './client/list-all-pages';

// Connection: configuration and the client.
export { type ConnectionSettings, type Impersonation } from './config/connection-settings';
export { loadKubeConfig, type KubeConfigOptions } from './config/kube-config';
export { inCluster, type InClusterOptions } from './config/in-cluster';
export { loadDefaultConfig } from './config/load-default-config';
export { connect, type ConnectOptions } from './client/connect';
export { clientMetrics, type ClientMetrics } from './client/client-metrics';

// Caches: informers, and the queue of changed keys.
export { Reflector, type ReflectorOptions, type ReflectorTuning } from './cache/reflector';
export { Store, type StoreEvent, type Indexers, type StoreOptions } from './cache/store';
export { type StoreReader } from './cache/store-reader';
export { SharedInformer, type InformerHandler, type InformerOptions } from './cache/shared-informer';
export { InformerFactory, type InformerFactoryOptions, type InformerRequest } from './cache/informer-factory';
export { trimForCache } from './cache/trim-for-cache';
export { type KeyPriority } from './queue/priority-key-queue';
export { WorkQueue, type WorkQueueOptions, type WorkResult } from './queue/work-queue';
export { QueueMetrics, type QueueMeter } from './queue/queue-metrics';

// Leader election.
export { electLeader, whenAborted, type Leader, type LeaderElection } from './lease/elect-leader';
export { runForLease, type Election, type LeaseOptions } from './lease/lease-election';

// Kubernetes Events.
export { EventRecorder, type EventObject, type EventRecorderOptions } from './events/event-recorder';
export { type EventContent } from './events/event-correlator';

// Process: clock, delays, back-off and log, which callers need in addition to the client.
export {
  BackOff,
  delay,
  errorText,
  isLogLevel,
  jsonLog,
  type BackOffOptions,
  type Clock,
  type Log,
  type LogFields,
  type LogLevel,
} from '../process';
