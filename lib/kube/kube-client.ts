import { type Impersonation } from './connection-settings';
import { type LiveObject, type SentObject } from './live-object';
import { type Resource } from './resource';

/** Where an object is. */
export interface ObjectPlace {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Which objects of a resource are meant. */
export interface Selection {
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - none */
  readonly labelSelector?: string;
  /** @default - none */
  readonly fieldSelector?: string;
}

/** Which part of a list is meant. */
export interface ListSelection extends Selection {
  /** Objects of a page. @default - all */
  readonly limit?: number;
  /** Where the page before ended. @default - the first page */
  readonly continue?: string;
  /** The list is not older than this. @default - the newest there is */
  readonly resourceVersion?: string;
}

/** Which messages a watch brings. */
export interface WatchSelection extends Selection {
  /** The last version that is known. @default - any */
  readonly resourceVersion?: string;
  /** Seconds after which the server ends it. @default - the server's own choice */
  readonly timeoutSeconds?: number;
  /** Streams the list first, as ADDED messages with a bookmark behind the last one. @default false */
  readonly sendInitialEvents?: boolean;
}

/** How a request goes out. */
export interface CallOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Milliseconds until it is given up. @default 30000 */
  readonly timeout?: number;
  /** How often it is sent again where the server says that it has no time now. @default 10 */
  readonly retries?: number;
  /** Has the server answer with metadata alone, where the caller knows the rest. @default false */
  readonly metadataOnly?: boolean;
  /** In whose name the server is to act. @default - as the settings of the connection say */
  readonly as?: Impersonation;
}

/** How server-side apply goes out. */
export interface ApplyOptions extends CallOptions {
  /** Takes fields from other managers instead of answering 409. @default false */
  readonly force?: boolean;
  readonly subresource?: 'status';
  /** Field manager. @default - pinion's */
  readonly fieldManager?: string;
  /** Checks and defaults, stores nothing. @default false */
  readonly dryRun?: boolean;
}

/** How a patch goes out. */
export interface PatchOptions extends CallOptions {
  /** @default merge */
  readonly type?: 'merge' | 'json' | 'strategic';
  /** @default - the object itself */
  readonly subresource?: string;
}

/** How a deletion goes out. */
export interface RemoveOptions extends CallOptions {
  /** Only an object of this uid is deleted. @default - any */
  readonly uid?: string;
  /** Only an object of this version is deleted. @default - any */
  readonly resourceVersion?: string;
  /** @default Background */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /** Seconds that it has to end. @default - its own */
  readonly gracePeriodSeconds?: number;
}

/** How any other request goes out. */
export interface RequestOptions extends CallOptions {
  /** @default - none */
  readonly query?: Readonly<Record<string, string>>;
  /** @default application/json */
  readonly contentType?: string;
}

/** A part of a list, with the version that all of it is of. */
export interface ListPage {
  readonly items: readonly LiveObject[];
  readonly resourceVersion: string;
  /** Where the next page begins; undefined on the last one. */
  readonly continue?: string;
}

/** One message of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: LiveObject;
}

/** Every request that pinion makes of the API server goes through here; a failure is an `ApiError`. */
export interface KubeClient {
  /** Reads one object; undefined where there is none. */
  get(resource: Resource, place: ObjectPlace, options?: CallOptions): Promise<LiveObject | undefined>;
  /** Reads one page of a list. */
  list(resource: Resource, selection: ListSelection, options?: CallOptions): Promise<ListPage>;
  /**
   * Watches from a version. Messages come in order; the promise is fulfilled when the server ends the watch and
   * rejected with an `ApiError` (410 where the version is too old) or with what `onEvent` threw.
   */
  watch(
    resource: Resource,
    selection: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Creates an object; 409 `AlreadyExists` where there is one. */
  create(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Server-side apply, creation included. */
  apply(object: SentObject, options?: ApplyOptions): Promise<LiveObject>;
  /** Replaces the status, with the resourceVersion of the object as precondition. */
  replaceStatus(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Replaces an object; with a resourceVersion in it, that is the precondition. */
  replace(object: SentObject, options?: CallOptions): Promise<LiveObject>;
  /** Patches an object. */
  patch(resource: Resource, place: ObjectPlace, patch: unknown, options?: PatchOptions): Promise<LiveObject>;
  /** Deletes an object. Fulfilled also where there is none; 409 `Conflict` where a precondition fails. */
  remove(resource: Resource, place: ObjectPlace, options?: RemoveOptions): Promise<void>;
  /** Sends any other request and gives the parsed answer. */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<unknown>;
  /** The same connection without the client's own rate limit: for what must never wait behind other work, such as the lease. */
  readonly unlimited: KubeClient;
  /** Closes all connections; what is under way fails. */
  close(): void;
}
