import { type Impersonation } from '../config/connection-settings';
import { type LiveObject, type SentObject } from '../objects/live-object';
import { type Resource } from '../objects/resource';

/** Name and namespace of an object. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Selection of the objects of a resource. */
export interface Selection {
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - none */
  readonly labelSelector?: string;
  /** @default - none */
  readonly fieldSelector?: string;
}

/** Selection of one page of a list. */
export interface ListSelection extends Selection {
  /** Maximum objects per page. @default - all */
  readonly limit?: number;
  /** Continue token of the previous page. @default - the first page */
  readonly continue?: string;
  /** Minimum resource version of the list. @default - the most recent */
  readonly resourceVersion?: string;
}

/** Selection of watch events. */
export interface WatchSelection extends Selection {
  /** Resource version to start after. @default - any */
  readonly resourceVersion?: string;
  /** Seconds after which the server ends the watch. @default - chosen by the server */
  readonly timeoutSeconds?: number;
  /** Whether to stream the list first, as ADDED events followed by a bookmark. @default false */
  readonly sendInitialEvents?: boolean;
}

/** Options of a request. */
export interface CallOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Timeout in milliseconds. @default 30000 */
  readonly timeout?: number;
  /** Maximum retries when the server is overloaded (429 or Retry-After). @default 10 */
  readonly retries?: number;
  /** Whether the response holds only metadata. @default false */
  readonly metadataOnly?: boolean;
  /** Identity to impersonate. @default - the identity of the connection settings */
  readonly as?: Impersonation;
}

/** Options of server-side apply. */
export interface ApplyOptions extends CallOptions {
  /** Whether to take over fields of other managers; otherwise a conflict fails with 409. @default false */
  readonly force?: boolean;
  readonly subresource?: 'status';
  /** Field manager. @default - that of the client */
  readonly fieldManager?: string;
  /** Whether to validate without storing. @default false */
  readonly dryRun?: boolean;
}

/** Options of a patch. */
export interface PatchOptions extends CallOptions {
  /** @default merge */
  readonly type?: 'merge' | 'json' | 'strategic';
  /** @default - the object itself */
  readonly subresource?: string;
}

/** Options of a deletion. */
export interface DeleteOptions extends CallOptions {
  /** UID that the object must have. @default - any */
  readonly uid?: string;
  /** Resource version that the object must have. @default - any */
  readonly resourceVersion?: string;
  /** @default Background */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /** Grace period in seconds. @default - as in the object's spec */
  readonly gracePeriodSeconds?: number;
}

/** Options of a request to any path. */
export interface RequestOptions extends CallOptions {
  /** @default - none */
  readonly query?: Readonly<Record<string, string>>;
  /** @default application/json */
  readonly contentType?: string;
  /** Accepted media type of the response; other than JSON is returned as text. @default application/json */
  readonly accept?: string;
}

/** One page of a list. */
export interface ListPage {
  readonly items: readonly LiveObject[];
  readonly resourceVersion: string;
  /** Continue token of the next page; undefined on the last page. */
  readonly continue?: string;
}

/** Watch event. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: LiveObject;
}

/** Client of the Kubernetes API; a failed request rejects with an `ApiError`. */
export interface KubeClient {
  /** Reads one object; undefined if it does not exist. */
  get(resource: Resource, key: ObjectKey, options?: CallOptions): Promise<LiveObject | undefined>;
  /** Reads one page of a list. */
  list(resource: Resource, selection: ListSelection, options?: CallOptions): Promise<ListPage>;
  /**
   * Watches from a resource version. Events arrive in order. Resolves when the server ends the watch; rejects with an
   * `ApiError` (410 if the version is too old) or with an error that `onEvent` throws.
   */
  watch(
    resource: Resource,
    selection: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Creates an object; fails with 409 `AlreadyExists` if it exists. */
  create(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Applies an object by server-side apply; creates it if needed. */
  apply(object: SentObject, options?: ApplyOptions): Promise<LiveObject>;
  /** Replaces the status; the object's resourceVersion is the precondition. */
  updateStatus(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Replaces an object; its resourceVersion, if set, is the precondition. */
  update(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Patches an object. */
  patch(resource: Resource, key: ObjectKey, patch: unknown, options?: PatchOptions): Promise<LiveObject>;
  /** Deletes an object. Also resolves if it does not exist; fails with 409 `Conflict` if a precondition fails. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Sends a request to any path and returns the parsed response. */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Client without the rate limit, for requests that must not wait behind other work, such as lease renewal. */
  readonly unlimited: KubeClient;
  /** Closes all connections; requests in flight fail. */
  close(): void;
}
