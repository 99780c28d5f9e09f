import { manager } from '../api';
import { closedError } from './abort';
import { type ApiCall, callApi, type Query, usualTimeout, withQuery } from './api-call';
import { type ApiError, isApiError } from './api-error';
import {
  type ApplyOptions,
  type CallOptions,
  type KubeClient,
  type ListPage,
  type ListSelection,
  type ObjectPlace,
  type PatchOptions,
  type RemoveOptions,
  type RequestOptions,
  type Selection,
  type WatchEvent,
  type WatchSelection,
} from './kube-client';
import { type LiveObject, type SentObject } from './live-object';
import { collectionPath, objectPath, type Resource, resourceOf } from './resource';
import { sendPatiently, type SenderParts } from './sender';
import { watchLines } from './watch-lines';

/** What a client is made of. */
export interface HttpKubeClientParts {
  readonly requests: SenderParts;
  /** Watches have connections of their own: each keeps one for minutes. */
  readonly watches: SenderParts;
  /** Ends what waits or is under way of both. */
  readonly closing: AbortController;
  /** @default - the client itself */
  readonly unlimited: KubeClient | undefined;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** What every writing request says: whose fields they are, and that an unknown one is an error. */
const writing = { fieldManager: manager, fieldValidation: 'Strict' } as const;

/** The client that talks to the API server over HTTP, in JSON. */
export class HttpKubeClient implements KubeClient {
  constructor(private readonly parts: HttpKubeClientParts) {}

  get unlimited(): KubeClient {
    return this.parts.unlimited ?? this;
  }

  async get(resource: Resource, place: ObjectPlace, options: CallOptions = {}): Promise<LiveObject | undefined> {
    try {
      return await this.#object('GET', objectPath(resource, place), options);
    } catch (error) {
      // A 404 without a reason comes for a path that the server does not serve, and that is no missing object.
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
      // A later page is of the version of the first one, which the token knows.
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
      // The items of native lists do not say what they are.
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
    await sendPatiently(this.parts.watches, {
      method: 'GET',
      path: withQuery(collectionPath(resource, selection.namespace), query),
      timeout: usualTimeout,
      signal,
      repeatable: true,
      onLine: watchLines(onEvent),
    });
  }

  create(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    const path = collectionPath(resourceFor(object), object.metadata.namespace ?? 'default');
    return this.#object('POST', path, { ...options, query: writing, body: object });
  }

  apply(object: SentObject, options: ApplyOptions = {}): Promise<LiveObject> {
    const { force = false, subresource, fieldManager = manager, dryRun = false, ...call } = options;
    return this.#object('PATCH', objectPath(resourceFor(object), object.metadata, subresource), {
      ...call,
      query: { ...writing, fieldManager, force, dryRun: dryRun ? 'All' : undefined },
      body: object,
      contentType: 'application/apply-patch+yaml',
      repeatable: true,
    });
  }

  replaceStatus(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#replace(object, options, 'status');
  }

  replace(object: SentObject, options: CallOptions = {}): Promise<LiveObject> {
    return this.#replace(object, options);
  }

  patch(resource: Resource, place: ObjectPlace, patch: unknown, options: PatchOptions = {}): Promise<LiveObject> {
    const { type = 'merge', subresource, ...call } = options;
    return this.#object('PATCH', objectPath(resource, place, subresource), {
      ...call,
      query: writing,
      body: patch,
      contentType: patchTypes[type],
    });
  }

  async remove(resource: Resource, place: ObjectPlace, options: RemoveOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagation = 'Background', gracePeriodSeconds, ...call } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      gracePeriodSeconds,
      ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    };
    try {
      await this.#call('DELETE', objectPath(resource, place), { ...call, body, repeatable: true });
    } catch (error) {
      if (!isApiError(error, 404) || isUnserved(error)) throw error;
    }
  }

  request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<unknown> {
    return this.#call(method, path, { ...options, body });
  }

  close(): void {
    this.parts.closing.abort(closedError());
    this.parts.requests.transport.close();
    this.parts.watches.transport.close();
    this.parts.unlimited?.close();
  }

  #replace(object: SentObject, options: CallOptions, subresource?: 'status'): Promise<LiveObject> {
    const path = objectPath(resourceFor(object), object.metadata, subresource);
    return this.#object('PUT', path, { ...options, query: writing, body: object, repeatable: true });
  }

  async #object(method: string, path: string, call: ApiCall): Promise<LiveObject> {
    return (await this.#call(method, path, call)) as LiveObject;
  }

  #call(method: string, path: string, call: ApiCall): Promise<unknown> {
    return callApi(this.parts.requests, method, path, call);
  }
}

const selected = ({ labelSelector, fieldSelector }: Selection): Query => ({ labelSelector, fieldSelector });

/** The object's own version of the API, at the plural that the table of kinds has. */
const resourceFor = ({ apiVersion, kind }: SentObject): Resource => ({ ...resourceOf(kind), apiVersion });

/** Whether a 404 means that the server has no such path, as while a definition is not installed. */
const isUnserved = (error: ApiError): boolean => /could not find the requested resource|404 page/.test(error.message);
