import { canaryReport, pinionKinds, type PinionKind, type WorkloadKind, workloadKinds } from '../../api';
import { childKindsOf, type ControllerScope, labelOf } from '../../expand';
import {
  type SharedInformerFactory,
  type LiveObject,
  resourceOf,
  type SharedInformer,
  trimForCache,
} from '../../client';
import { type Child } from './child';
import { childOf } from './child-of';
import { type FreeNode } from '../run/run-plan';
import { creationFailureOf } from './creation-failure-of';
import { type CreationFailure, type PodFacts } from './pod-facts';
import { podFactsOf } from './pod-facts-of';
import { type NodeFacts, nodeFactsOf } from './node-facts';
import { RequestsByNode, freeCapacityOf } from '../run/free-capacity';
import { type Stores } from './stores';
import { workKey, type WorkKey } from '../work-key';

const bothScopes: readonly ControllerScope[] = ['workloads', 'platform'];

/** Native kinds that the controller creates and therefore watches. */
export const childKinds: readonly string[] = childKindsOf(bothScopes);

const workloadKindNames = Object.keys(workloadKinds) as readonly WorkloadKind[];

const objectKey = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}/${name}`);
const podsKey = (namespace: string, kind: string, label: string): string => `${namespace}/${kind}/${label}`;

/** Returns index values of the routes of an Ingress; none once it is being deleted. */
const routeKeysOf = ({ namespace, deleting, routes = [] }: Child): ReadonlySet<string> =>
  new Set(deleting ? [] : routes.map(({ key }) => `${namespace} ${key}`));

const childRequest = (kind: string, scopes = bothScopes) => ({
  resource: resourceOf(kind),
  // Only workloads become ConfigMaps.
  ...(kind === 'ConfigMap' &&
    !scopes.includes('workloads') && { selection: { fieldSelector: `metadata.name=${canaryReport.name}` } }),
  // ConfigMaps of anyone, of up to 1 MiB each: a page is parsed as a whole.
  ...(kind === 'ConfigMap' && { pageSize: 50 }),
  transform: childOf,
  indexers: {
    owner: ({ controller }: Child) => (controller ? [controller.uid] : []),
    namesake: ({ namespace, controller }: Child) =>
      controller && Object.hasOwn(workloadKinds, controller.kind)
        ? [podsKey(namespace, controller.kind, controller.name)]
        : [],
    ...(kind === 'Ingress' && { route: (ingress: Child) => [...routeKeysOf(ingress)] }),
  },
});

/** Stores of the controller, each filled by one shared informer. */
export class InformerStores implements Stores {
  readonly #factory: SharedInformerFactory;
  readonly #children: Map<string, SharedInformer<Child>>;
  readonly #requestsByNode: RequestsByNode;
  readonly informers: {
    readonly resources: ReadonlyMap<string, SharedInformer<LiveObject>>;
    readonly children: ReadonlyMap<string, SharedInformer<Child>>;
    readonly pods: SharedInformer<PodFacts>;
    readonly nodes: SharedInformer<NodeFacts>;
    readonly failures: SharedInformer<CreationFailure | undefined>;
  };

  /** `scopes` are what the controller reconciles; for Projects and the Platform alone, it watches neither pods nor nodes. */
  constructor(factory: SharedInformerFactory, scopes = bothScopes) {
    this.#factory = factory;
    this.#children = new Map(childKindsOf(scopes).map((kind) => [kind, factory.informer(childRequest(kind, scopes))]));
    const ofPods = scopes.includes('workloads') ? factory : factory.idle();
    this.informers = {
      resources: new Map(
        Object.keys(pinionKinds).map((kind) => [
          kind,
          factory.informer({
            resource: resourceOf(kind),
            transform: trimForCache,
            indexers: {
              owner: ({ metadata }: LiveObject) => ownersOf(metadata.ownerReferences),
              namespace: ({ metadata }: LiveObject) => (metadata.namespace === undefined ? [] : [metadata.namespace]),
              pods: ({ metadata }: LiveObject) => [podsKey(metadata.namespace ?? '', kind, labelOf(metadata.name))],
            },
          }),
        ]),
      ),
      children: this.#children,
      pods: ofPods.informer({
        resource: resourceOf('Pod'),
        transform: podFactsOf,
        indexers: {
          workload: ({ namespace, workload }: PodFacts) =>
            workload ? [podsKey(namespace, workload.kind, workload.label)] : [],
          node: ({ node }: PodFacts) => (node === undefined ? [] : [node]),
        },
      }),
      nodes: ofPods.informer({ resource: resourceOf('Node'), transform: nodeFactsOf }),
      failures: ofPods.informer({
        resource: resourceOf('Event'),
        selection: { fieldSelector: 'reason=FailedCreate' },
        transform: creationFailureOf,
        indexers: { object: (failure: CreationFailure | undefined) => (failure ? [failure.uid] : []) },
        bookmarks: false,
        streamLists: true,
      }),
    };
    const { pods, nodes } = this.informers;
    this.#requestsByNode = new RequestsByNode((node) => pods.store.byIndex('node', node));
    const invalidate = ({ node }: PodFacts) => this.#requestsByNode.forget(node);
    pods.addEventHandler({
      onAdd: invalidate,
      onUpdate: (before, pod) => {
        invalidate(before);
        invalidate(pod);
      },
      onDelete: invalidate,
    });
    nodes.addEventHandler({ onDelete: ({ name }) => this.#requestsByNode.forget(name) });
  }

  /** Starts to watch a kind of children that only some clusters have; returns its informer on the first call. */
  watchOptional(kind: string): SharedInformer<Child> | undefined {
    if (this.#children.has(kind)) return undefined;
    const informer = this.#factory.informer({ ...childRequest(kind), optional: true });
    this.#children.set(kind, informer);
    return informer;
  }

  resource(kind: PinionKind, namespace: string, name: string): LiveObject | undefined {
    return this.#storeOf(kind).get(objectKey(namespace, name));
  }

  resources(kind: PinionKind): readonly LiveObject[] {
    return this.#storeOf(kind).list();
  }

  /** Returns the native objects of a kind; none of a kind that is not watched. */
  children(kind: string): readonly Child[] {
    return this.#children.get(kind)?.store.list() ?? [];
  }

  /** Returns the workloads of all kinds. */
  workloads(): readonly LiveObject[] {
    return workloadKindNames.flatMap((kind) => this.resources(kind));
  }

  /** Returns the keys of all resources. */
  allKeys(): readonly WorkKey[] {
    const kinds = Object.keys(pinionKinds) as readonly PinionKind[];
    return kinds.flatMap((kind) =>
      this.resources(kind).map(({ metadata }) => workKey(kind, metadata.namespace, metadata.name)),
    );
  }

  /** Returns the number of cached objects by kind. */
  sizes(): ReadonlyMap<string, number> {
    const { resources, children, pods, nodes, failures } = this.informers;
    const all = new Map<string, SharedInformer<unknown>>([
      ...(resources as ReadonlyMap<string, SharedInformer<unknown>>),
      ...(children as ReadonlyMap<string, SharedInformer<unknown>>),
      ['Pod', pods as SharedInformer<unknown>],
      ['Node', nodes as SharedInformer<unknown>],
      ['Event', failures as SharedInformer<unknown>],
    ]);
    return new Map([...all].map(([kind, { store }]) => [kind, store.size]));
  }

  /** Returns the workloads of a project. */
  workloadsIn(project: string): readonly LiveObject[] {
    return workloadKindNames.flatMap((kind) => this.#storeOf(kind).byIndex('namespace', project));
  }

  routeRivals(child: Child): readonly Child[] {
    const rivals = new Set<Child>();
    const ingresses = this.#children.get('Ingress')?.store;
    for (const key of routeKeysOf(child))
      for (const rival of ingresses?.byIndex('route', key) ?? [])
        if (rival.controller?.uid !== child.controller?.uid) rivals.add(rival);
    return [...rivals];
  }

  /** Stores the response to a write at once. */
  offer(object: LiveObject): void {
    (this.informers.children.get(object.kind) ?? this.informers.resources.get(object.kind))?.offer(object);
  }

  child(kind: string, namespace: string, name: string): Child | undefined {
    const children = this.informers.children.get(kind);
    const resources = this.informers.resources.get(kind);
    // Events may be about any kind.
    if (!children && !resources) return undefined;
    const key = objectKey(resourceOf(kind).namespaced ? namespace : '', name);
    if (children) return children.store.get(key);
    const resource = resources?.store.get(key);
    return resource && childOf(resource);
  }

  ownedBy(uid: string): readonly Child[] {
    const owned: Child[] = [];
    for (const informer of this.informers.children.values()) owned.push(...informer.store.byIndex('owner', uid));
    for (const informer of this.informers.resources.values())
      for (const resource of informer.store.byIndex('owner', uid)) owned.push(childOf(resource));
    return owned;
  }

  ownedByPredecessor(kind: string, namespace: string, name: string, uid: string): readonly Child[] {
    const children: Child[] = [];
    const key = podsKey(namespace, kind, name);
    for (const informer of this.informers.children.values())
      for (const child of informer.store.byIndex('namesake', key))
        if (child.controller?.uid !== uid) children.push(child);
    return children;
  }

  podsOf(kind: string, namespace: string, name: string): readonly PodFacts[] {
    return this.informers.pods.store.byIndex('workload', podsKey(namespace, kind, labelOf(name)));
  }

  failuresOf(uid: string): readonly CreationFailure[] {
    return this.informers.failures.store.byIndex('object', uid).filter((failure) => failure !== undefined);
  }

  /** Returns the workload whose pods have a label, even if its name is too long for a label. */
  ownerOfPods(kind: string, namespace: string, label: string): LiveObject | undefined {
    return this.informers.resources.get(kind)?.store.byIndex('pods', podsKey(namespace, kind, label))[0];
  }

  freeNodes(): readonly FreeNode[] {
    return freeCapacityOf(this.informers.nodes.store.list(), (node) => this.#requestsByNode.of(node));
  }

  #storeOf(kind: PinionKind) {
    const informer = this.informers.resources.get(kind);
    if (!informer) throw new Error(`no informer for ${kind}`);
    return informer.store;
  }
}

const ownersOf = (references: LiveObject['metadata']['ownerReferences']): string[] =>
  (references ?? []).filter(({ controller }) => controller).map(({ uid }) => uid);
