import { manager } from '../api';
import { closedError } from './abort';
import { ApiError, isApiError } from './api-error';
import { type ClientMetrics } from './client-metrics';
import { type Clock } from './clock';
import { type ConnectionSettings } from './connection-settings';
import {
  type ApplyOptions,
  type CallOptions,
  type KubeClient,
  type ListPage,
  type ObjectPlace,
  type Selection,
} from './kube-client';
import { type LiveObject, type SentObject } from './live-object';
import { collectionPath, objectPath, type Resource, resourceOf } from './resource';
import { sendPatiently, type SenderParts } from './sender';
import { type Rate, TokenBucket } from './token-bucket';
import { Transport } from './transport';
import { watchLines } from './watch-lines';

/** How a client talks, besides where. */
export interface ConnectOptions {
  readonly clock: Clock;
  /** What the server's audit log shows as the client, such as `pinion/1.0.0`. */
  readonly userAgent: string;
  /** The client's own rate. @default 50 requests a second, 100 at once */
  readonly rate?: Rate;
  /** @default - none */
  readonly metrics?: ClientMetrics;
  /**
   * Asked right before each attempt of a request that changes something, after it has waited for its turn; where it
   * says no, the request fails with reason `NotLeading`. The `unlimited` client does not ask. @default - always true
   */
  readonly mayWrite?: () => boolean;
}

/** How many connections a client has at once: for requests, for requests of the unlimited client, and for watches. */
const pools = { ordinary: 64, unlimited: 4, watches: Number.POSITIVE_INFINITY };
/** Milliseconds until a request is given up whose caller does not say. */
const usualTimeout = 30_000;

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Call extends CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly repeatable?: boolean;
}

/** Fields that are written, and how strictly: what every writing request says. */
const writing = { fieldManager: manager, fieldValidation: 'Strict' } as const;

/** Makes a client for one API server. It opens no connection before its first request. */
export function connect(settings: ConnectionSettings, options: ConnectOptions): KubeClient {
  const { rate = { qps: 50, burst: 100 } } = options;
  const bucket = new TokenBucket(rate, options.clock);
  const { mayWrite: _, ...free } = options;
  const unlimited = new HttpKubeClient(settings, free, pools.unlimited, undefined, undefined);
  return new HttpKubeClient(settings, options, pools.ordinary, bucket, unlimited);
}

class HttpKubeClient implements KubeClient {
  readonly #parts: SenderParts;
  readonly #watchParts: SenderParts;
  readonly #unlimited: KubeClient | undefined;
  readonly #closing = new AbortController();

  constructor(
    settings: ConnectionSettings,
    { clock, userAgent, metrics, mayWrite }: ConnectOptions,
    maxSockets: number,
    bucket: TokenBucket | undefined,
    unlimited: KubeClient | undefined,
  ) {
    this.#unlimited = unlimited;
    const shared = {
      clock,
      closing: this.#closing.signal,
      ...(bucket && { bucket }),
      ...(metrics && { metrics }),
      ...(mayWrite && { mayWrite }),
    };
    this.#parts = { ...shared, transport: new Transport(settings, { clock, userAgent, maxSockets }) };
    const forWatches = { clock, userAgent, maxSockets: pools.watches };
    this.#watchParts = { ...shared, transport: new Transport(settings, forWatches) };
  }

  get unlimited(): KubeClient {
    return this.#unlimited ?? this;
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

  async list(
    resource: Resource,
    selection: Selection & { readonly limit?: number; readonly continue?: string; readonly resourceVersion?: string },
    options: CallOptions = {},
  ): Promise<ListPage> {
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
    selection: Parameters<KubeClient['watch']>[1],
    onEvent: Parameters<KubeClient['watch']>[2],
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
    await sendPatiently(this.#watchParts, {
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

  patch(
    resource: Resource,
    place: ObjectPlace,
    patch: unknown,
    options: Parameters<KubeClient['patch']>[3] = {},
  ): Promise<LiveObject> {
    const { type = 'merge', subresource, ...call } = options;
    return this.#object('PATCH', objectPath(resource, place, subresource), {
      ...call,
      query: writing,
      body: patch,
      contentType: patchTypes[type],
    });
  }

  async remove(
    resource: Resource,
    place: ObjectPlace,
    options: Parameters<KubeClient['remove']>[2] = {},
  ): Promise<void> {
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

  request(
    method: string,
    path: string,
    body?: unknown,
    options: Parameters<KubeClient['request']>[3] = {},
  ): Promise<unknown> {
    return this.#call(method, path, { ...options, body });
  }

  close(): void {
    this.#closing.abort(closedError());
    this.#parts.transport.close();
    this.#watchParts.transport.close();
    this.#unlimited?.close();
  }

  #replace(object: SentObject, options: CallOptions, subresource?: 'status'): Promise<LiveObject> {
    const path = objectPath(resourceFor(object), object.metadata, subresource);
    return this.#object('PUT', path, { ...options, query: writing, body: object, repeatable: true });
  }

  async #object(method: string, path: string, call: Call): Promise<LiveObject> {
    return (await this.#call(method, path, call)) as LiveObject;
  }

  async #call(method: string, path: string, call: Call): Promise<unknown> {
    const { query = {}, body, contentType, repeatable = method === 'GET', timeout = usualTimeout, signal } = call;
    const answer = await sendPatiently(this.#parts, {
      method,
      path: withQuery(path, query),
      timeout,
      signal,
      repeatable,
      ...(contentType !== undefined && { contentType }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (!(answer.headers['content-type'] ?? '').startsWith('application/json')) return answer.text;
    try {
      return JSON.parse(answer.text) as unknown;
    } catch (cause) {
      throw new ApiError(answer.status, 'Unreadable', `${method} ${path}: the answer is no JSON`, {}, { cause });
    }
  }
}

const selected = ({ labelSelector, fieldSelector }: Selection): Query => ({ labelSelector, fieldSelector });

/** The object's own version of the API, at the plural that the table of kinds has. */
const resourceFor = ({ apiVersion, kind }: SentObject): Resource => ({ ...resourceOf(kind), apiVersion });

/** Whether a 404 means that the server has no such path, as while a definition is not installed. */
const isUnserved = (error: ApiError): boolean => /could not find the requested resource|404 page/.test(error.message);

function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  if (entries.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(entries).toString()}`;
}
