import { ApiError, isApiError } from './api-error';
import { BackOff, type BackOffOptions } from './back-off';
import { type Clock } from './clock';
import { type KubeClient, type Selection, type WatchEvent } from './kube-client';
import { keyOf, type LiveObject } from './live-object';
import { pause } from './pause';
import { type ReflectorMeter } from './reflector-metrics';
import { type Resource } from './resource';
import { isNewer } from './resource-version';
import { statusError, type StatusObject } from './retry';
import { SilenceGuard } from './silence-guard';
import { type Sighting, type Store } from './store';

/** How a reflector lists and watches. */
export interface ReflectorTuning {
  /** Objects a page. @default 500 */
  readonly pageSize?: number;
  /** Streams the list through the watch; where the server refuses that, pages are read instead. @default false */
  readonly streamed?: boolean;
  /** Milliseconds without any message after which a watch is given up: bookmarks come each minute. @default 150000 */
  readonly silence?: number;
  /**
   * Whether the server sends bookmarks of this resource. Of what it keeps no cache of, such as Events, it sends none: there a
   * silent watch is nothing strange, and a version may be too old by then; such a watch begins anew with its list. @default true
   */
  readonly bookmarks?: boolean;
  /** Shortest time of a watch in seconds; each takes up to twice as long, at random. @default 300 */
  readonly watchTime?: number;
  /** @default - as client-go's */
  readonly backOff?: BackOffOptions;
}

/** What a reflector is made of. */
export interface ReflectorOptions<T> extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  readonly store: Store<T>;
  /** Called after each whole list. */
  readonly onListed?: () => void;
  /** Hears of every request that failed, and of each message that could not be taken in. */
  readonly onError: (error: unknown) => void;
  readonly meter?: ReflectorMeter;
}

/** Set by the API server on the bookmark behind the last object of a streamed list. */
const initialEventsEnd = 'k8s.io/initial-events-end';
/** A server that ends a watch this many milliseconds before its time did not do so for the watch's age. */
const early = 2_000;

/** Mirrors the objects of one resource into a store: list, then watch, again and again, until it is stopped. */
export class Reflector<T> {
  private readonly backOff: BackOff;
  private listed = false;
  /** Whether the last list followed an expiry, and nothing was heard of its watch yet. */
  private relisted = false;
  private streamed: boolean;
  private silentWatches = 0;
  private heard: number | undefined;

  constructor(private readonly options: ReflectorOptions<T>) {
    this.backOff = new BackOff(options.clock, options.backOff);
    this.streamed = options.streamed ?? false;
  }

  /** When the server was last heard, in milliseconds since 1970: a list, an event or a bookmark. */
  get lastHeard(): number | undefined {
    return this.heard;
  }

  /** Lists and watches until the signal is raised; fulfilled when nothing is under way any more, never rejected. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let wait: number | undefined;
      try {
        wait = (await this.round(signal)) ? undefined : this.backOff.next();
      } catch (error) {
        if (signal.aborted) return;
        wait = this.afterFailure(error);
      }
      if (wait !== undefined) await pause(this.options.clock, wait, signal);
    }
  }

  /** One list where one is due, and one watch; says whether the watch lived as long as it was asked to. */
  private async round(signal: AbortSignal): Promise<boolean> {
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
      return this.round(signal);
    }
  }

  /** Milliseconds to wait. */
  private afterFailure(error: unknown): number {
    if (isExpired(error)) return this.afterExpiry();
    this.tell(error);
    const asked = error instanceof ApiError ? (error.facts.retryAfter ?? 0) : 0;
    return asked + this.backOff.next(); // scattered even where the server names one moment to all
  }

  /** A server that says that a version is too old is well: the list is due soon, however long the attempts before had to wait. */
  private afterExpiry(): number {
    // One that forgets each list before it can be watched from is not to be asked for it all the time.
    if (this.listed && !this.relisted) this.backOff.reset();
    this.listed = false;
    this.relisted = true;
    return this.backOff.next();
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { client, clock, resource, selection, pageSize = 500, meter } = this.options;
    const begun = clock.now();
    const sightings: Sighting<T>[] = [];
    let next: string | undefined;
    let version: string;
    do {
      const page = await client.list(
        resource,
        { ...selection, limit: pageSize, ...(next === undefined ? {} : { continue: next }) },
        { signal },
      );
      signal.throwIfAborted();
      this.heard = clock.now();
      for (const object of page.items) this.sight(object, sightings);
      version = page.resourceVersion;
      next = page.continue || undefined;
    } while (next !== undefined);
    meter?.listed(clock.now() - begun, sightings.length);
    this.takeList(sightings, version);
  }

  private takeList(list: Iterable<Sighting<T>>, version: string): void {
    this.options.store.replace(list, version);
    this.options.meter?.version(version);
    this.silentWatches = 0;
    this.listed = true;
    this.options.onListed?.();
  }

  /** One bad object must not end the rest. */
  private sight(object: LiveObject, sightings: Sighting<T>[]): void {
    try {
      sightings.push(this.options.store.sight(object));
    } catch (error) {
      this.tell(error);
    }
  }

  /** Follows one watch to its end; `initial` collects a streamed list in front of it. */
  private async watch(signal: AbortSignal, initial?: Map<string, Sighting<T>>): Promise<boolean> {
    const { client, clock, resource, selection, store, silence = 150_000, watchTime = 300, meter } = this.options;
    const begun = clock.now();
    const timeoutSeconds = Math.floor(watchTime * (1 + clock.random()));
    let events = 0;
    const guard = new SilenceGuard(clock, silence, signal);
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
          if (guard.signal.aborted) return;
          events += 1;
          guard.heard = this.heard = clock.now();
          this.message(event, this.listed ? undefined : initial);
        },
        { signal: guard.signal },
      );
    } catch (error) {
      if (!guard.silent) throw error;
    } finally {
      guard.close();
      meter?.watched(clock.now() - begun, events);
    }
    signal.throwIfAborted();
    if (guard.silent) this.afterSilence(events);
    else if (events > 0) this.silentWatches = 0;
    return !guard.silent && clock.now() - begun >= timeoutSeconds * 1000 - early;
  }

  /** A version that the server does not know yet, after a restore, keeps a watch silent for ever: only a new list helps. */
  private afterSilence(events: number): void {
    if (this.options.bookmarks === false) {
      this.listed = false;
      return;
    }
    this.options.meter?.silent();
    this.silentWatches = events > 0 ? 1 : this.silentWatches + 1;
    if (!this.listed) this.streamed = false;
    if (this.silentWatches >= 2) this.listed = false;
    const { kind } = this.options.resource;
    this.tell(new ApiError(0, 'Silent', `the watch of ${kind} brought neither event nor bookmark and was given up`));
  }

  private message(event: WatchEvent, initial: Map<string, Sighting<T>> | undefined): void {
    if (event.type === 'ERROR') throw statusError(event.object as StatusObject);
    try {
      if (initial) this.takeInitial(event, initial);
      else this.takeEvent(event);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.tell(error);
    }
  }

  private takeEvent(event: WatchEvent): void {
    const { store, meter } = this.options;
    const { resourceVersion } = event.object.metadata;
    if (event.type === 'BOOKMARK' && store.resourceVersion && isNewer(store.resourceVersion, resourceVersion))
      throw new ApiError(410, 'Expired', 'the server went back to an earlier version');
    meter?.version(resourceVersion);
    this.relisted = false;
    store.observe(event);
  }

  private takeInitial({ type, object }: WatchEvent, initial: Map<string, Sighting<T>>): void {
    const { resourceVersion, annotations } = object.metadata;
    if (type !== 'BOOKMARK') {
      if (type === 'DELETED') initial.delete(keyOf(object));
      else initial.set(keyOf(object), this.options.store.sight(object));
    } else if (annotations?.[initialEventsEnd] === 'true') {
      this.options.meter?.listed(undefined, initial.size);
      this.takeList(initial.values(), resourceVersion);
      initial.clear();
    }
  }

  private tell(error: unknown): void {
    this.options.onError(error);
  }
}

/** Whether a version is too old to watch from, or one that the server has not reached and may never reach. */
const isExpired = (error: unknown): boolean =>
  isApiError(error, 410) ||
  (error instanceof ApiError && (error.facts.causes ?? []).some(({ reason }) => reason === 'ResourceVersionTooLarge'));
