/** Client of the Kubernetes API for controllers and other programs: what client-go is for Go. */
export {
  // Objects and resources.
  keyOf,
  type LiveMetadata,
  type LiveObject,
  type ManagedFields,
  type OwnerReference,
  type SentObject,
  resourceOf,
  type Resource,

  // Connection.
  loadDefaultConfig,
  type GivenKubeConfig,
  loadKubeConfig,
  type KubeConfigOptions,
  inClusterConfig,
  type InClusterConfigOptions,
  type ConnectionSettings,
  type Credential,
  type CredentialSource,
  type TextSource,
  type Impersonation,

  // Client.
  connect,
  type ConnectOptions,
  type Rate,
  type KubeClient,
  type ApplyOptions,
  type CallOptions,
  type DeleteOptions,
  type ListPage,
  type ListSelection,
  type ObjectKey,
  type PatchOptions,
  type RequestOptions,
  type Selection,
  type WatchEvent,
  type WatchSelection,
  listAllPages,
  listPages,
  ApiError,
  isApiError,
  clientMetrics,
  type ClientMetrics,

  // Informers.
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type InformerRequest,
  type SharedInformer,
  type ResourceEventHandler,
  type ReflectorTuning,
  type StoreReader,
  type Indexers,
  stripManagedFields,
  trimForCache,

  // Work queue.
  WorkQueue,
  type WorkQueueOptions,
  type WorkResult,
  type KeyPriority,
  QueueMetrics,
  type QueueMeter,

  // Leader election.
  runForLease,
  type LeaseOptions,
  type Election,

  // Events.
  EventRecorder,
  type EventRecorderOptions,
  type EventObject,
  type EventContent,

  // Process.
  monotonicClock,
  type Clock,
  type BackOffOptions,
  jsonLog,
  isLogLevel,
  type Log,
  type LogFields,
  type LogLevel,
  errorText,
} from '../kube';
