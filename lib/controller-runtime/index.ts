/** Controllers of Kubernetes objects: what controller-runtime is for Go. */
export {
  Manager,
  LeaderElectionLostError,
  type ManagerOptions,
  type LeaderElectionOptions,
  type HealthCheck,
} from './manager';
export { Controller, type ControllerOptions, type Reconciler } from './controller';
export { TypedController, type TypedControllerOptions, type RateLimiter, type WorkerOptions } from './typed-controller';
export { type ReconcileRequest, type ReconcileResult } from './reconcile-request';
export { type Runnable } from './runnable';
export { TerminalError } from './terminal-error';
export { Cache, type CacheOptions, type InformerSettings } from './cache';
export { ControllerMetrics, type ReconcileLabel } from './controller-metrics';
export { setupSignalHandler } from './setup-signal-handler';

// What a controller watches.
export {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  type MappedResource,
  type WatchedResource,
} from './watched-resource';
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  matching,
  type Predicate,
} from './predicate';

// Objects that a controller writes.
export { isControlledBy, setControllerReference } from './owner';
export { addFinalizer, containsFinalizer, removeFinalizer } from './finalizer';
export { isStatusConditionTrue, setStatusCondition, type ObjectCondition } from './condition';
