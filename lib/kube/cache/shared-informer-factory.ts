import { type Clock } from '../../process';
import { type KubeClient, type Selection } from '../client/kube-client';
import { keyOf, type LiveObject } from '../objects/live-object';
import { type ReflectorTuning } from './reflector';
import { ReflectorMetrics } from './reflector-metrics';
import { type Resource } from '../objects/resource';
import { SharedInformer } from './shared-informer';
import { type Indexers } from './store';
import { type Registry } from 'prom-client';

/** Options that all informers of a factory share. */
export interface SharedInformerFactoryOptions extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Registry of the metrics. @default - none */
  readonly registry?: Registry;
  /** Called for failed requests and for errors of handlers. */
  readonly onError: (error: unknown, resource: Resource) => void;
  /** Called once for each version of an object that cannot be decoded. */
  readonly onUndecodable?: (key: string, error: unknown, resource: Resource) => void;
}

/** Options of one informer. */
export interface InformerRequest<T> extends ReflectorTuning {
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  /** Returns the value to cache for an object; `trimForCache` caches the object. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /** @default - never */
  readonly resync?: number;
  /**
   * Whether readiness does not wait for its first list, as for a resource that only some clusters have.
   * @default false
   */
  readonly optional?: boolean;
}

/** Informer of any value type. */
type AnyInformer = Pick<
  SharedInformer<unknown>,
  'start' | 'stop' | 'hasSynced' | 'waitForCacheSync' | 'lastContactAt' | 'offer' | 'offerDeleted'
>;

interface InformerEntry {
  readonly informer: AnyInformer;
  readonly transform: unknown;
  readonly indexers: unknown;
  readonly optional: boolean;
  readonly plural: string;
  readonly resource: Resource;
  readonly selection: Selection;
}

/** Shared informers, one per resource and selection. */
export class SharedInformerFactory {
  private readonly entries = new Map<string, InformerEntry>();
  private readonly metrics: ReflectorMetrics | undefined;
  private started = false;

  constructor(private readonly options: SharedInformerFactoryOptions) {
    this.metrics = options.registry && new ReflectorMetrics(options.registry);
  }

  /** Returns a factory whose informers are never started, for resources that this process does not need. */
  idle(): SharedInformerFactory {
    const { client, clock, onError } = this.options;
    return new SharedInformerFactory({ client, clock, onError });
  }

  /**
   * Returns the informer of a resource and selection; the first call creates it, and starts it if the factory is started.
   * Throws if it exists with another transform or other indexers, because it cannot serve both callers; a request without
   * indexers gets those of the first one.
   */
  informer<T>(request: InformerRequest<T>): SharedInformer<T> {
    const { resource, selection = {}, transform, indexers, optional = false } = request;
    const { namespace = '', labelSelector = '', fieldSelector = '' } = selection;
    const key = JSON.stringify([resource.apiVersion, resource.plural, namespace, labelSelector, fieldSelector]);
    const existing = this.entries.get(key);
    if (existing) {
      if (existing.transform !== transform || (indexers && existing.indexers !== indexers))
        throw new Error(`the informer of ${resource.plural} exists with another transform or other indexers`);
      return existing.informer as SharedInformer<T>; // the same transform returns the same type
    }
    const informer = this.create(request);
    this.entries.set(key, { informer, transform, indexers, optional, plural: resource.plural, resource, selection });
    if (this.started) informer.start();
    return informer;
  }

  /**
   * Returns the informer that caches all objects of a resource with a transform, in all namespaces or at least in the given
   * one; undefined if there is none.
   */
  find<T>(
    resource: Resource,
    namespace: string | undefined,
    transform: (object: LiveObject) => T,
  ): SharedInformer<T> | undefined {
    const found = this.complete(resource, namespace).find((entry) => entry.transform === transform);
    return found?.informer as SharedInformer<T> | undefined; // the same transform returns the same type
  }

  /** Caches the response to a write of this process at once, in each informer of the resource without a selector. */
  offer(resource: Resource, object: LiveObject): void {
    for (const { informer } of this.complete(resource, object.metadata.namespace)) informer.offer(object);
  }

  /** Removes an object that this process deleted at once, from each informer of the resource without a selector. */
  offerDeleted(resource: Resource, key: { readonly name: string; readonly namespace?: string }, uid: string): void {
    for (const { informer } of this.complete(resource, key.namespace))
      informer.offerDeleted(keyOf({ metadata: key }), uid);
  }

  /** Starts all informers. */
  start(): void {
    this.started = true;
    for (const { informer } of this.entries.values()) informer.start();
  }

  /**
   * Resolves when all informers except optional ones have synced; rejects with the signal's reason if it is aborted first.
   */
  async waitForCacheSync(signal?: AbortSignal): Promise<void> {
    // Sequential, so that only one listens to the signal at a time.
    for (const informer of this.required()) await informer.waitForCacheSync(signal);
  }

  /** Returns whether all informers except optional ones have synced. */
  hasSynced(): boolean {
    return this.required().every((informer) => informer.hasSynced());
  }

  /** Plurals of the resources whose informer has not synced, except optional ones. */
  unsynced(): readonly string[] {
    return [...this.entries.values()]
      .filter(({ optional, informer }) => !optional && !informer.hasSynced())
      .map(({ plural }) => plural);
  }

  /** Earliest `lastContactAt` of the informers; undefined while one has not listed. */
  lastContactAt(): number | undefined {
    let oldest: number | undefined;
    for (const informer of this.required()) {
      const time = informer.lastContactAt();
      if (time === undefined) return undefined;
      oldest = Math.min(time, oldest ?? time);
    }
    return oldest;
  }

  /** Stops all informers; resolves when no request or timer remains. */
  async stop(): Promise<void> {
    await Promise.all(this.informers().map((informer) => informer.stop()));
  }

  /** Returns the entries of a resource that hold all its objects of a namespace. */
  private complete({ apiVersion, plural }: Resource, namespace: string | undefined): InformerEntry[] {
    return [...this.entries.values()].filter(
      ({ resource, selection }) =>
        resource.plural === plural &&
        resource.apiVersion === apiVersion &&
        selection.labelSelector === undefined &&
        selection.fieldSelector === undefined &&
        (selection.namespace === undefined || selection.namespace === namespace),
    );
  }

  private required(): AnyInformer[] {
    return [...this.entries.values()].filter(({ optional }) => !optional).map(({ informer }) => informer);
  }

  private informers(): AnyInformer[] {
    return Array.from(this.entries.values(), ({ informer }) => informer);
  }

  private create<T>(request: InformerRequest<T>): SharedInformer<T> {
    const { registry: _, onError, onUndecodable, ...common } = this.options;
    const { resource, selection } = request;
    const selectors = [selection?.namespace, selection?.labelSelector, selection?.fieldSelector].filter(Boolean);
    const name = selectors.length === 0 ? resource.kind : `${resource.kind}[${selectors.join(' ')}]`;
    return new SharedInformer<T>({
      ...common,
      ...request,
      onError: (error) => onError(error, resource),
      ...(onUndecodable && { onUndecodable: (key: string, error: unknown) => onUndecodable(key, error, resource) }),
      ...(this.metrics && { meter: this.metrics.meter(name) }),
    });
  }
}
