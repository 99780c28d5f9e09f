import { type CachedObject } from './cached-object';
import { type CachedResource } from './cached-resource';
import { type CacheEvent } from './watch-event';
import { type ObjectSelection } from './object-selection';
import { WatchLog, type WatchLogLimits } from './watch-log';

/** Receives what happens in a cache after it subscribed. */
export interface CacheSubscriber {
  /** An object changed. */
  onEvent(event: CacheEvent): void;
  /** No further event follows; `expired` if the next ones will not follow those before, so that objects are to be listed again. */
  onEnd(expired: boolean): void;
}

/** Objects of one resource as of one version, and their recent events. */
export class ObjectCache {
  readonly #objects = new Map<string, CachedObject>();
  /** All keys in their order. */
  #keys: string[] = [];
  #bytes = 0;
  #version: number | undefined;
  /** Time when the API server last said something, in milliseconds since 1970. */
  #contactAt = Number.NEGATIVE_INFINITY;
  readonly #log: WatchLog;
  readonly #subscribers = new Set<CacheSubscriber>();
  readonly #waiting = new Set<() => void>();

  constructor(
    readonly resource: CachedResource,
    limits: WatchLogLimits,
    /** Receives errors of subscribers. @default - they are thrown outside, as those of event listeners */
    private readonly onError: (error: unknown) => void = throwOutside,
  ) {
    this.#log = new WatchLog(limits);
  }

  /** Version as of which the objects are known; undefined before the first list. */
  get version(): number | undefined {
    return this.#version;
  }

  /** Returns the milliseconds since the API server last said something; what it said may be older. */
  ageAt(now: number): number {
    return now - this.#contactAt;
  }

  /** Notes that the API server said something. */
  noteContact(now: number): void {
    this.#contactAt = now;
  }

  /** Number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** Bytes of the JSON of all objects. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Recent events. */
  get log(): Pick<WatchLog, 'size' | 'bytes'> {
    return this.#log;
  }

  /** Number of open watches. */
  get watches(): number {
    return this.#subscribers.size;
  }

  /** Oldest version from which a watch can resume. */
  get oldestVersion(): number {
    return this.#log.start;
  }

  /** Returns the object with a key. */
  get(key: string): CachedObject | undefined {
    return this.#objects.get(key);
  }

  /** Returns the number of objects of a namespace; of all without one. */
  countIn(namespace: string | undefined): number {
    // The keys of a namespace end before the character that follows the slash.
    return namespace === undefined ? this.size : this.#position(`${namespace}0`) - this.#position(`${namespace}/`);
  }

  /** Returns the objects of a selection, in the order of the API server. */
  *list(selection: ObjectSelection): Generator<CachedObject> {
    const { namespace, isAll } = selection;
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    for (let at = prefix === '' ? 0 : this.#position(prefix); at < this.#keys.length; at++) {
      const key = this.#keys[at] as string;
      if (!key.startsWith(prefix)) return;
      const object = this.#objects.get(key) as CachedObject;
      if (isAll || selection.matches(object)) yield object;
    }
  }

  /**
   * Replaces all objects by those of a list at a version; watches end. They continue if the list has the same objects: the
   * API server is silent about a resource that does not change, so that such a list is frequent.
   */
  replace(objects: Iterable<CachedObject>, version: number): void {
    const listed = [...objects];
    if (this.#version !== undefined && version >= this.#version && this.#isEqual(listed)) {
      this.advance(version);
      return;
    }
    this.#objects.clear();
    this.#bytes = 0;
    for (const object of listed) {
      this.#objects.set(object.key, object);
      this.#bytes += object.json.length;
    }
    this.#keys = [...this.#objects.keys()].sort();
    this.#log.restart(version);
    this.#version = version;
    this.endWatches(true);
    this.#wake();
  }

  /** Forgets all objects, because the API server no longer serves the resource; watches end, and reads go to the server. */
  clear(): void {
    this.#objects.clear();
    this.#keys = [];
    this.#bytes = 0;
    this.#log.restart(Number.POSITIVE_INFINITY);
    this.#version = undefined;
    this.#contactAt = Number.NEGATIVE_INFINITY;
    this.endWatches(true);
  }

  /** Applies a change that the API server reported; `frame` is its line. */
  apply(type: CacheEvent['type'], object: CachedObject, frame: Buffer): void {
    const { key, version } = object;
    const previous = this.#objects.get(key);
    this.#bytes += (type === 'DELETED' ? 0 : object.json.length) - (previous?.json.length ?? 0);
    if (type === 'DELETED') this.#remove(key);
    else this.#set(object);
    const event: CacheEvent = { type, version, object, ...(previous && { previous }), frame };
    this.#log.append(event);
    this.#version = version;
    this.#callEach(this.#subscribers, (subscriber) => subscriber.onEvent(event));
    this.#wake();
  }

  /** Notes that nothing changed up to a version. */
  advance(version: number): void {
    if (this.#version === undefined || version <= this.#version) return;
    this.#version = version;
    this.#wake();
  }

  /** Ends all watches; `expired` if a later one cannot resume where they ended. */
  endWatches(expired: boolean): void {
    const subscribers = [...this.#subscribers];
    // Before they are called, because some subscribe again.
    this.#subscribers.clear();
    this.#callEach(subscribers, (subscriber) => subscriber.onEnd(expired));
  }

  /** Returns the events after a version; undefined if some of them are no longer known. */
  eventsAfter(version: number): readonly CacheEvent[] | undefined {
    return this.#log.after(version);
  }

  /** Subscribes to all further events; the returned function ends that. */
  subscribe(subscriber: CacheSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Calls back once, when the version next advances; the returned function cancels that. */
  onceAdvanced(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  #isEqual(objects: readonly CachedObject[]): boolean {
    const isKnown = ({ key, uid, version }: CachedObject): boolean => {
      const known = this.#objects.get(key);
      return known !== undefined && known.uid === uid && known.version === version;
    };
    return objects.length === this.#objects.size && objects.every(isKnown);
  }

  #wake(): void {
    const callbacks = [...this.#waiting];
    this.#waiting.clear();
    this.#callEach(callbacks, (callback) => callback());
  }

  /** Calls all, though some throw. */
  #callEach<T>(targets: Iterable<T>, call: (target: T) => void): void {
    for (const target of targets) {
      try {
        call(target);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  #set(object: CachedObject): void {
    if (!this.#objects.has(object.key)) this.#keys.splice(this.#position(object.key), 0, object.key);
    this.#objects.set(object.key, object);
  }

  #remove(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#position(key), 1);
  }

  /** Returns the index of the first key that is not less than the given one. */
  #position(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function throwOutside(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}
