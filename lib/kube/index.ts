/** Client of the API server: connection, watches, caches, work queue, lease, apply, events. */
export {
  keyOf,
  type LiveMetadata,
  type LiveObject,
  type ManagedFields,
  type OwnerReference,
  type SentObject,
} from './objects/live-object';
export { serviceAccountOf, serviceAccountUser, type ServiceAccountName } from './objects/service-account-user';
export { boundedName } from './client/bounded-name';
export { userAgentProduct, withoutIdentifiers } from './client/user-agent-product';
export { RestMapper } from './objects/rest-mapper';
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
  type DeleteOptions,
  type RequestOptions,
  type Selection,
  type WatchEvent,
  type WatchSelection,
} from './client/kube-client';
export { listAllPages, listPages } from './client/list-all-pages';

// Connection: configuration and the client.
export {
  type ConnectionSettings,
  type Credential,
  type CredentialSource,
  type Impersonation,
  type TextSource,
} from './config/connection-settings';
export { kubeConfigContexts, loadKubeConfig, type KubeConfigOptions } from './config/kube-config';
export { inClusterConfig, type InClusterConfigOptions } from './config/in-cluster-config';
export { loadDefaultConfig, type GivenKubeConfig } from './config/load-default-config';
export { connect, type ConnectOptions } from './client/connect';
export { type Rate } from './client/token-bucket';
export { ConnectionPool } from './transport/connection-pool';
export { impersonationError, impersonationHeaders } from './transport/impersonation-headers';
export { serverRequest } from './transport/server-request';
export { clientMetrics, type ClientMetrics } from './client/client-metrics';

// Caches: informers, and the queue of changed keys.
export { Reflector, type ReflectorOptions, type ReflectorTuning } from './cache/reflector';
export { Store, type StoreEvent, type Indexers, type StoreOptions } from './cache/store';
export { type StoreReader } from './cache/store-reader';
export { SharedInformer, type ResourceEventHandler, type InformerOptions } from './cache/shared-informer';
export {
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type InformerRequest,
} from './cache/shared-informer-factory';
export { stripManagedFields } from './cache/strip-managed-fields';
export { trimForCache } from './cache/trim-for-cache';
export { type KeyPriority } from './queue/priority-key-queue';
export { WorkQueue, type WorkQueueOptions, type WorkResult } from './queue/work-queue';
export { QueueMetrics, type QueueMeter } from './queue/queue-metrics';

// Leader election.
export { electLeader, whenAborted, type Leader, type LeaderElection } from './lease/elect-leader';
export { isHeldLease } from './lease/lease-record';
export { runForLease, type Election, type LeaseOptions } from './lease/lease-election';

// Kubernetes Events.
export { EventRecorder, type EventObject, type EventRecorderOptions } from './events/event-recorder';
export { type EventContent } from './events/event-correlator';

// Health endpoints of a process.
export { serveHealth, type HealthSources } from './health/serve-health';

// Process: clock, delays, back-off and log, which callers need in addition to the client.
export {
  BackOff,
  completesWithin,
  delay,
  errorText,
  isLogLevel,
  jsonLog,
  monotonicClock,
  type BackOffOptions,
  type Clock,
  type Log,
  type LogFields,
  type LogLevel,
} from '../process';
