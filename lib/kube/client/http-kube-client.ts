import { closedError } from '../transport/abort';
import { type ApiCall, callApi, type Query, defaultTimeout, withQuery } from './api-call';
import { type ApiError, isApiError } from '../transport/api-error';
import {
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
} from './kube-client';
import { type LiveObject, type SentObject } from '../objects/live-object';
import { collectionPath, objectPath, type Resource } from '../objects/resource';
import { type RestMapper } from '../objects/rest-mapper';
import { sendWithRetries, type SenderDeps } from './send-with-retries';
import { watchLines } from './watch-lines';

/** Dependencies of a client. */
export interface HttpKubeClientDeps {
  readonly requests: SenderDeps;
  /** Separate connections for watches, each of which keeps one for minutes. */
  readonly watches: SenderDeps;
  /** Aborts waiting requests and requests in flight of both. */
  readonly closing: AbortController;
  /** @default - the client itself */
  readonly unlimited: KubeClient | undefined;
  /** Field manager of writes. */
  readonly fieldManager: string;
  readonly restMapper: RestMapper;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Client that talks JSON over HTTP to the API server. */
export class HttpKubeClient implements KubeClient {
  constructor(private readonly deps: HttpKubeClientDeps) {}

  get unlimited(): KubeClient {
    return this.deps.unlimited ?? this;
  }

  async get(resource: Resource, key: ObjectKey, options: CallOptions = {}): Promise<LiveObject | undefined> {
    try {
      return await this.#object('GET', objectPath(resource, key), options);
    } catch (error) {
      // The server also answers 404 for a path that it does not serve; then the object is not missing, the API is.
      if (isApiError(error, 404) && !isUnserved(error)) return undefined;
      throw error;
    }
  }

  async list(resource: Resource, selection: ListSelection, options: CallOptions = {}): Promise<ListPage> {
    const { limit, continue: next, resourceVersion } = selection;
    const query = {
      ...selected(selection),
      limit,
      continue: next,
      // The continue token fixes the version of later pages.
      ...(next === undefined &&
        resourceVersion !== undefined && { resourceVersion, resourceVersionMatch: 'NotOlderThan' }),
    };
    const path = collectionPath(resource, selection.namespace);
    const list = (await this.#call('GET', path, { ...options, query })) as {
      readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
      readonly items?: readonly LiveObject[] | null;
    };
    const { apiVersion, kind } = resource;
    return {
      // Items of built-in lists have no apiVersion and kind.
      items: (list.items ?? []).map((item) => ({ ...item, apiVersion, kind })),
      resourceVersion: list.metadata?.resourceVersion ?? '',
      ...(list.metadata?.continue ? { continue: list.metadata.continue } : {}),
    };
  }

  async watch(
    resource: Resource,
    selection: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { resourceVersion, timeoutSeconds, sendInitialEvents } = selection;
    const query = {
      ...selected(selection),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion,
      timeoutSeconds,
      ...(sendInitialEvents && { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' }),
    };
    await sendWithRetries(this.deps.watches, {
      method: 'GET',
      path: withQuery(collectionPath(resource, selection.namespace), query),
      timeout: defaultTimeout,
      signal,
      repeatable: true,
      onLine: watchLines(onEvent),
    });
  }

  async create(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    const path = collectionPath(this.#resourceFor(object), object.metadata.namespace ?? 'default');
    return await this.#object('POST', path, { ...options, query: this.#writeOptions(), body: object });
  }

  async apply(object: SentObject, options: ApplyOptions = {}): Promise<LiveObject> {
    const { force = false, subresource, fieldManager, dryRun = false, ...call } = options;
    return await this.#object('PATCH', objectPath(this.#resourceFor(object), object.metadata, subresource), {
      ...call,
      query: { ...this.#writeOptions(fieldManager), force, dryRun: dryRun ? 'All' : undefined },
      body: object,
      contentType: 'application/apply-patch+yaml',
      repeatable: true,
    });
  }

  updateStatus(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#put(object, options, 'status');
  }

  update(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#put(object, options);
  }

  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions = {}): Promise<LiveObject> {
    const { type = 'merge', subresource, ...call } = options;
    return this.#object('PATCH', objectPath(resource, key, subresource), {
      ...call,
      query: this.#writeOptions(),
      body: patch,
      contentType: patchTypes[type],
    });
  }

  async delete(resource: Resource, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagation = 'Background', gracePeriodSeconds, ...call } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      gracePeriodSeconds,
      ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    };
    try {
      await this.#call('DELETE', objectPath(resource, key), { ...call, body, repeatable: true });
    } catch (error) {
      if (!isApiError(error, 404) || isUnserved(error)) throw error;
    }
  }

  request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<unknown> {
    return this.#call(method, path, { ...options, body });
  }

  close(): void {
    this.deps.closing.abort(closedError());
    this.deps.requests.transport.close();
    this.deps.watches.transport.close();
    this.deps.unlimited?.close();
  }

  async #put(object: SentObject, options: CallOptions, subresource?: 'status'): Promise<LiveObject> {
    const path = objectPath(this.#resourceFor(object), object.metadata, subresource);
    return await this.#object('PUT', path, { ...options, query: this.#writeOptions(), body: object, repeatable: true });
  }

  #resourceFor(object: SentObject): Resource {
    return this.deps.restMapper.resourceFor(object);
  }

  /** Returns the query parameters of every write: the field manager, and strict validation of unknown fields. */
  #writeOptions(fieldManager = this.deps.fieldManager): Query {
    return { fieldManager, fieldValidation: 'Strict' };
  }

  async #object(method: string, path: string, call: ApiCall): Promise<LiveObject> {
    return (await this.#call(method, path, call)) as LiveObject;
  }

  #call(method: string, path: string, call: ApiCall): Promise<unknown> {
    return callApi(this.deps.requests, method, path, call);
  }
}

const selected = ({ labelSelector, fieldSelector }: Selection): Query => ({ labelSelector, fieldSelector });

/** Returns whether a 404 means that the server does not serve the path, as before a CRD is installed. */
const isUnserved = (error: ApiError): boolean => /could not find the requested resource|404 page/.test(error.message);
