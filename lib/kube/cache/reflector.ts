import { ApiError, isApiError } from '../transport/api-error';
import { BackOff, type BackOffOptions, type Clock, delay } from '../../process';
import { type KubeClient, type Selection, type WatchEvent } from '../client/kube-client';
import { keyOf, type LiveObject } from '../objects/live-object';
import { type ReflectorMeter } from './reflector-metrics';
import { type Resource } from '../objects/resource';
import { isNewer } from '../objects/resource-version';
import { statusError, type StatusObject } from '../client/retry';
import { WatchIdleTimeout } from './watch-idle-timeout';
import { type ListedObject, type Store } from './store';

/** List and watch options of a reflector. */
export interface ReflectorTuning {
  /** Objects per page. @default 500 */
  readonly pageSize?: number;
  /** Whether to stream lists through the watch; if the server rejects that, lists are read in pages. @default false */
  readonly streamLists?: boolean;
  /** Milliseconds without an event after which a watch is restarted; bookmarks arrive every minute. @default 150000 */
  readonly idleTimeout?: number;
  /**
   * Whether the server sends bookmarks for this resource. It sends none for resources without a watch cache, such as Events:
   * an idle watch is normal there, its version may have expired, and the next one starts with a list. @default true
   */
  readonly bookmarks?: boolean;
  /** Minimum duration of a watch in seconds; the actual one is random, up to twice as long. @default 300 */
  readonly watchSeconds?: number;
  /** @default - as in client-go */
  readonly backOff?: BackOffOptions;
}

/** Options of a reflector. */
export interface ReflectorOptions<T> extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  readonly store: Store<T>;
  /** Called after each complete list. */
  readonly onListed?: () => void;
  /** Called for every failed request, and for every event that cannot be processed. */
  readonly onError: (error: unknown) => void;
  readonly meter?: ReflectorMeter;
}

/** Annotation of the bookmark that ends a streamed list. */
const initialEventsEnd = 'k8s.io/initial-events-end';
/** A watch that ends more than this many milliseconds before its timeout did not end by it. */
const earlyMargin = 2_000;

/** Keeps a store in sync with one resource: lists, then watches, until it is stopped. */
export class Reflector<T> {
  private readonly backOff: BackOff;
  private listed = false;
  /** Whether the last list followed an expired version, and its watch has not returned an event yet. */
  private relisted = false;
  private streamed: boolean;
  private idleWatches = 0;
  private lastContact: number | undefined;

  constructor(private readonly options: ReflectorOptions<T>) {
    this.backOff = new BackOff(options.clock, options.backOff);
    this.streamed = options.streamLists ?? false;
  }

  /**
   * Time of the last complete list, event or bookmark, which the store contains, in milliseconds since 1970. A list that has
   * begun does not count: until it is complete, the store is as old as before.
   */
  get lastContactAt(): number | undefined {
    return this.lastContact;
  }

  /** Lists and watches until the signal is aborted; resolves when no request is in flight, never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let wait: number | undefined;
      try {
        wait = (await this.listAndWatch(signal)) ? undefined : this.backOff.next();
      } catch (error) {
        if (signal.aborted) return;
        wait = this.afterFailure(error);
      }
      if (wait !== undefined) await delay(this.options.clock, wait, signal);
    }
  }

  /** Lists if needed and watches once; returns whether the watch lasted until its timeout. */
  private async listAndWatch(signal: AbortSignal): Promise<boolean> {
    if (this.listed) return this.watch(signal);
    if (!this.streamed) {
      await this.list(signal);
      return this.watch(signal);
    }
    try {
      return await this.watch(signal, new Map());
    } catch (error) {
      if (!isApiError(error, 400, 403, 405, 406, 422) || this.listed) throw error;
      this.streamed = false;
      return this.listAndWatch(signal);
    }
  }

  /** Reports a failure and returns the milliseconds to wait. */
  private afterFailure(error: unknown): number {
    if (isExpired(error)) return this.afterExpiry();
    this.report(error);
    const retryAfter = error instanceof ApiError ? (error.details.retryAfter ?? 0) : 0;
    return retryAfter + this.backOff.next(); // with jitter, because the server may send the same delay to all clients
  }

  /**
   * Returns the milliseconds to wait. An expired version is not a failure of the server, so the back-off is reset.
   */
  private afterExpiry(): number {
    // A server that expires every list before its watch must not be listed in a loop.
    if (this.listed && !this.relisted) this.backOff.reset();
    this.listed = false;
    this.relisted = true;
    return this.backOff.next();
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { client, clock, resource, selection, pageSize = 500, meter } = this.options;
    const start = clock.now();
    const items: ListedObject<T>[] = [];
    let next: string | undefined;
    let version: string;
    do {
      const page = await client.list(
        resource,
        { ...selection, limit: pageSize, ...(next === undefined ? {} : { continue: next }) },
        { signal },
      );
      signal.throwIfAborted();
      for (const object of page.items) this.decode(object, items);
      version = page.resourceVersion;
      next = page.continue || undefined;
    } while (next !== undefined);
    meter?.recordList(clock.now() - start, items.length);
    this.applyList(items, version);
  }

  private applyList(list: Iterable<ListedObject<T>>, version: string): void {
    this.options.store.replace(list, version);
    this.lastContact = this.options.clock.now();
    this.options.meter?.setVersion(version);
    this.idleWatches = 0;
    this.listed = true;
    this.options.onListed?.();
  }

  /** Decodes one object of a list; a failure does not affect the others. */
  private decode(object: LiveObject, items: ListedObject<T>[]): void {
    try {
      items.push(this.options.store.decode(object));
    } catch (error) {
      this.report(error);
    }
  }

  /** Runs one watch to its end; `initial` collects a streamed list before it. */
  private async watch(signal: AbortSignal, initial?: Map<string, ListedObject<T>>): Promise<boolean> {
    const {
      client,
      clock,
      resource,
      selection,
      store,
      idleTimeout = 150_000,
      watchSeconds = 300,
      meter,
    } = this.options;
    const start = clock.now();
    const timeoutSeconds = Math.floor(watchSeconds * (1 + clock.random()));
    let events = 0;
    const idle = new WatchIdleTimeout(clock, idleTimeout, signal);
    const version = initial ? undefined : store.resourceVersion;
    try {
      await client.watch(
        resource,
        {
          ...selection,
          timeoutSeconds,
          ...(version === undefined ? {} : { resourceVersion: version }),
          ...(initial ? { sendInitialEvents: true } : {}),
        },
        (event) => {
          if (idle.signal.aborted) return;
          events += 1;
          idle.lastMessageAt = clock.now();
          this.process(event, this.listed ? undefined : initial);
          if (this.listed) this.lastContact = clock.now();
        },
        { signal: idle.signal },
      );
    } catch (error) {
      if (!idle.expired) throw error;
    } finally {
      idle.close();
      meter?.recordWatch(clock.now() - start, events);
    }
    signal.throwIfAborted();
    if (idle.expired) this.afterIdleTimeout(events);
    else if (events > 0) this.idleWatches = 0;
    return !idle.expired && clock.now() - start >= timeoutSeconds * 1000 - earlyMargin;
  }

  /**
   * Lists again after two idle watches: after a restore, a watch from a version that the server has not reached yet would
   * stay idle forever.
   */
  private afterIdleTimeout(events: number): void {
    if (this.options.bookmarks === false) {
      this.listed = false;
      return;
    }
    this.options.meter?.recordIdleTimeout();
    this.idleWatches = events > 0 ? 1 : this.idleWatches + 1;
    if (!this.listed) this.streamed = false;
    if (this.idleWatches >= 2) this.listed = false;
    const { kind } = this.options.resource;
    this.report(
      new ApiError(0, 'IdleTimeout', `the watch of ${kind} received neither event nor bookmark and was restarted`),
    );
  }

  private process(event: WatchEvent, initial: Map<string, ListedObject<T>> | undefined): void {
    if (event.type === 'ERROR') throw statusError(event.object as StatusObject);
    try {
      if (initial) this.applyInitialEvent(event, initial);
      else this.applyEvent(event);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.report(error);
    }
  }

  private applyEvent(event: WatchEvent): void {
    const { store, meter } = this.options;
    const { resourceVersion } = event.object.metadata;
    if (event.type === 'BOOKMARK' && store.resourceVersion && isNewer(store.resourceVersion, resourceVersion))
      throw new ApiError(410, 'Expired', 'the server returned to an earlier version');
    meter?.setVersion(resourceVersion);
    this.relisted = false;
    store.observe(event);
  }

  private applyInitialEvent({ type, object }: WatchEvent, initial: Map<string, ListedObject<T>>): void {
    const { resourceVersion, annotations } = object.metadata;
    if (type !== 'BOOKMARK') {
      if (type === 'DELETED') initial.delete(keyOf(object));
      else initial.set(keyOf(object), this.options.store.decode(object));
    } else if (annotations?.[initialEventsEnd] === 'true') {
      this.options.meter?.recordList(undefined, initial.size);
      this.applyList(initial.values(), resourceVersion);
      initial.clear();
    }
  }

  private report(error: unknown): void {
    this.options.onError(error);
  }
}

/** Returns whether a version is too old to watch from, or newer than that of the server. */
const isExpired = (error: unknown): boolean =>
  isApiError(error, 410) ||
  (error instanceof ApiError &&
    (error.details.causes ?? []).some(({ reason }) => reason === 'ResourceVersionTooLarge'));
