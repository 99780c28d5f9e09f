import { type Indexers, type LiveObject, type Resource, type ResourceEventHandler, type Selection } from '../kube';
import { allOf, type Predicate } from './predicate';
import { keyOfRequest, type ReconcileRequest, requestOf } from './reconcile-request';

/** Resource that a controller watches. */
export interface WatchedResource {
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  /**
   * All of them must pass an event. Of the reconciled resource, the start and resyncs queue only objects that pass as
   * created. @default - none
   */
  readonly predicates?: readonly Predicate[];
  /** Indexes of the cached objects, one constant for all controllers. @default - none */
  readonly indexers?: Indexers<LiveObject>;
}

/** Resource whose objects are mapped to those that the controller reconciles. */
export interface MappedResource extends WatchedResource {
  /** Returns what to reconcile when an object changes. Of an update, both states are mapped. */
  readonly map: (object: LiveObject) => Iterable<ReconcileRequest>;
}

/** Maps an object to itself. */
export const enqueueRequestForObject = (object: LiveObject): readonly ReconcileRequest[] => [requestOf(object)];

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')));

/** Returns the map of an object to the objects of a resource that own it as its controller. */
export const enqueueRequestForOwner =
  (owner: Resource) =>
  ({ metadata: { namespace = '', ownerReferences = [] } }: LiveObject): readonly ReconcileRequest[] =>
    ownerReferences
      .filter(({ controller }) => controller)
      .filter(({ kind, apiVersion }) => kind === owner.kind && groupOf(apiVersion) === groupOf(owner.apiVersion))
      .map(({ name }) => ({ namespace: owner.namespaced ? namespace : '', name }));

/** Returns the event handler that queues what objects map to. */
export function eventHandlerOf(
  { map, predicates = [] }: MappedResource,
  enqueue: (request: ReconcileRequest) => void,
): ResourceEventHandler<LiveObject> {
  const passes = allOf(...predicates);
  const enqueueAll = (...objects: readonly LiveObject[]): void => {
    // Each once: a worker may have started on the first, and would do the same work again for the second.
    const requests = objects.flatMap((object) => [...map(object)]);
    for (const request of new Map(requests.map((each) => [keyOfRequest(each), each])).values()) enqueue(request);
  };
  return {
    onAdd: (object) => passes.create?.(object) && enqueueAll(object),
    onUpdate: (before, after) => {
      if (!passes.update?.(before, after)) return;
      enqueueAll(before, after);
    },
    onDelete: (last) => passes.delete?.(last) && enqueueAll(last),
  };
}
