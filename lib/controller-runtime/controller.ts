import { isApiError, type Resource, type SharedInformer, type LiveObject } from '../kube';
import { type Manager } from './manager';
import { allOf } from './predicate';
import { keyOfRequest, requestOfKey, type ReconcileRequest, type ReconcileResult } from './reconcile-request';
import { type Runnable } from './runnable';
import { TypedController, type WorkerOptions } from './typed-controller';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  eventHandlerOf,
  type MappedResource,
  type WatchedResource,
} from './watched-resource';

/** Brings an object to its desired state, whatever happened before; also called for an object that is gone. */
export interface Reconciler {
  /**
   * `recordProgress` shows that a long reconcile does not hang. It is retried with back-off if it rejects, unless with a
   * `TerminalError`.
   */
  reconcile(request: ReconcileRequest, recordProgress: () => void): Promise<ReconcileResult | undefined>;
}

/** Options of a controller. */
export interface ControllerOptions extends WorkerOptions {
  /** Name in metrics and logs. @default - the plural of the reconciled resource */
  readonly name?: string;
  /** Resource whose objects are reconciled. */
  readonly for: WatchedResource;
  /** Resources whose objects are reconciled through the owner that controls them. @default - none */
  readonly owns?: readonly WatchedResource[];
  /** Other resources whose changes matter. @default - none */
  readonly watches?: readonly MappedResource[];
  readonly reconciler: Reconciler;
}

/** Controller of the objects of one resource: its watches, and workers that call its reconciler. */
export class Controller implements Runnable {
  readonly #workers: TypedController;
  readonly #informer: SharedInformer<LiveObject>;

  /** Adds the watches to the cache of a manager; `manager.add` starts the controller with it. */
  constructor(manager: Pick<Manager, 'cache' | 'clock' | 'log' | 'metrics'>, options: ControllerOptions) {
    const { cache, clock, log, metrics } = manager;
    const { for: reconciled, owns = [], watches = [], reconciler, ...workerOptions } = options;
    // The start and resyncs count as the creation of each object.
    const passes = allOf(...(reconciled.predicates ?? []));
    this.#workers = new TypedController({
      ...workerOptions,
      clock,
      log,
      metrics,
      name: options.name ?? reconciled.resource.plural,
      reconcile: (key, recordProgress) => reconciler.reconcile(requestOfKey(key), recordProgress),
      keys: () =>
        this.#informer.store
          .entries()
          .filter(([, object]) => passes.create?.(object) ?? true)
          .map(([key]) => key),
      isExpected: (error) => isConflict(error) || isNotLeading(error),
    });
    const watch = (mapped: MappedResource): SharedInformer<LiveObject> => {
      const { resource, selection, indexers } = mapped;
      const informer = cache.informer(resource, { ...(selection && { selection }), ...(indexers && { indexers }) });
      informer.addEventHandler(eventHandlerOf(mapped, (request) => this.enqueue(request)));
      return informer;
    };
    this.#informer = watch({ ...reconciled, map: enqueueRequestForObject });
    const ownerOf = enqueueRequestForOwner(reconciled.resource satisfies Resource);
    for (const owned of owns) watch({ ...owned, map: ownerOf });
    for (const mapped of watches) watch(mapped);
  }

  /** Queues an object. */
  enqueue(request: ReconcileRequest): void {
    this.#workers.add(keyOfRequest(request));
  }

  start(): void {
    this.#workers.start();
  }

  stop(): Promise<void> {
    return this.#workers.stop();
  }

  unhealthyReason(): string | undefined {
    return this.#workers.unhealthyReason();
  }
}

/** An object that changed meanwhile is reconciled again with its new state. */
const isConflict = (error: unknown): boolean => isApiError(error, 409) && error.reason === 'Conflict';
const isNotLeading = (error: unknown): boolean => isApiError(error, 0) && error.reason === 'NotLeading';
