import {
  type ApplyOptions,
  type CallOptions,
  type DeleteOptions,
  keyOf,
  type KubeClient,
  type ListPage,
  type ListSelection,
  type LiveObject,
  type ObjectKey,
  type PatchOptions,
  type RequestOptions,
  type Resource,
  RestMapper,
  type SentObject,
  type SharedInformer,
  stripManagedFields,
  type WatchEvent,
  type WatchSelection,
} from '../kube';
import { type Cache } from './cache';

/**
 * Client that reads from the cache and writes through it. Objects of a resource with an informer are read from the cache,
 * which has each response to a write of this client at once; all other reads, and lists with selectors, limits or
 * versions, go to the API server.
 */
export class CachedClient implements KubeClient {
  readonly #restMapper: RestMapper;

  constructor(
    private readonly client: KubeClient,
    private readonly cache: Cache,
    resources: readonly Resource[] = [],
  ) {
    this.#restMapper = new RestMapper(resources);
  }

  get unlimited(): KubeClient {
    return this.client.unlimited;
  }

  async get(resource: Resource, key: ObjectKey, options: CallOptions = {}): Promise<LiveObject | undefined> {
    const namespace = resource.namespaced ? (key.namespace ?? 'default') : undefined;
    const informer = this.#informerFor(resource, namespace, options);
    if (!informer) return this.client.get(resource, key, options);
    return informer.store.get(keyOf({ metadata: { name: key.name, namespace } }));
  }

  async list(resource: Resource, selection: ListSelection, options: CallOptions = {}): Promise<ListPage> {
    const { namespace, ...others } = selection;
    const isWhole = Object.values(others).every((value) => value === undefined);
    const informer = isWhole ? this.#informerFor(resource, namespace, options) : undefined;
    if (!informer) return this.client.list(resource, selection, options);
    const items = informer.store.list();
    return {
      items: namespace === undefined ? items : items.filter(({ metadata }) => metadata.namespace === namespace),
      resourceVersion: informer.store.resourceVersion ?? '',
    };
  }

  watch(
    resource: Resource,
    selection: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<void> {
    return this.client.watch(resource, selection, onEvent, options);
  }

  create(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#writeThrough(object, options, this.client.create(object, options));
  }

  apply(object: SentObject, options: ApplyOptions = {}): Promise<LiveObject> {
    return this.#writeThrough(object, options, this.client.apply(object, options));
  }

  updateStatus(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#writeThrough(object, options, this.client.updateStatus(object, options));
  }

  update(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#writeThrough(object, options, this.client.update(object, options));
  }

  async patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions = {}): Promise<LiveObject> {
    const patched = await this.client.patch(resource, key, patch, options);
    // Other subresources, such as scale, return another kind.
    if (patched.kind === resource.kind && !options.metadataOnly) this.cache.informers.offer(resource, patched);
    return patched;
  }

  async delete(resource: Resource, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const namespace = resource.namespaced ? (key.namespace ?? 'default') : undefined;
    const cached = this.#informerFor(resource, namespace, {})?.store.get(
      keyOf({ metadata: { name: key.name, namespace } }),
    );
    await this.client.delete(resource, key, options);
    const uid = options.uid ?? cached?.metadata.uid;
    if (uid === undefined) return;
    this.cache.informers.offerDeleted(resource, { name: key.name, ...(namespace !== undefined && { namespace }) }, uid);
  }

  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.client.request(method, path, body, options);
  }

  close(): void {
    this.client.close();
  }

  #informerFor(
    resource: Resource,
    namespace: string | undefined,
    { as, metadataOnly }: CallOptions,
  ): SharedInformer<LiveObject> | undefined {
    // What another identity may read is known to the API server alone.
    if (as !== undefined || metadataOnly) return undefined;
    const informer = this.cache.informers.find(resource, namespace, stripManagedFields);
    return informer?.hasSynced() ? informer : undefined;
  }

  async #writeThrough(
    sent: SentObject,
    { metadataOnly, dryRun }: ApplyOptions,
    response: Promise<LiveObject>,
  ): Promise<LiveObject> {
    const written = await response;
    if (!metadataOnly && !dryRun) this.cache.informers.offer(this.#restMapper.resourceFor(sent), written);
    return written;
  }
}
