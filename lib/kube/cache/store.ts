import { UndecodableObjects } from './undecodable-objects';
import { type WatchEvent } from '../client/kube-client';
import { keyOf, type LiveObject } from '../objects/live-object';
import { isNewer } from '../objects/resource-version';
import { StoreIndex } from './store-index';
import { type StoreReader } from './store-reader';

/** Change of one key of a store. */
export type StoreEvent<T> =
  | { readonly type: 'added'; readonly key: string; readonly after: T }
  | { readonly type: 'updated'; readonly key: string; readonly before: T; readonly after: T }
  | { readonly type: 'deleted'; readonly key: string; readonly before: T };

/** Index functions by name; each is pure and returns any number of values for an object. */
export type Indexers<T> = Readonly<Record<string, (value: T) => readonly string[]>>;

/** Options of a store. */
export interface StoreOptions<T> {
  /** Returns the value to cache for an object. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /** Called after every change. */
  readonly onChange?: (change: StoreEvent<T>) => void;
  /** Called once for each version of an object whose transform or index function throws; its last valid state remains. */
  readonly onUndecodable?: (key: string, error: unknown) => void;
}

/** Decoded object of a list; without a value if it cannot be decoded. */
export interface ListedObject<T> {
  readonly key: string;
  readonly uid: string;
  readonly version: string;
  readonly value?: { readonly of: T };
}

interface Entry<T> {
  readonly uid: string;
  readonly version: string;
  readonly value: T;
}

/** Cached objects of one resource. An object older than its cached version is ignored. */
export class Store<T> implements StoreReader<T> {
  private readonly cached = new Map<string, Entry<T>>();
  private readonly indexes: ReadonlyMap<string, StoreIndex<T>>;
  private readonly undecodableObjects = new UndecodableObjects();
  /** UIDs of objects that this process deleted and whose DELETED event has not arrived, by key. */
  private readonly deleting = new Map<string, string>();
  private latestVersion: string | undefined;

  constructor(private readonly options: StoreOptions<T>) {
    this.indexes = new Map(
      Object.entries(options.indexers ?? {}).map(([name, valuesOf]) => [name, new StoreIndex(valuesOf)]),
    );
  }

  get(key: string): T | undefined {
    return this.cached.get(key)?.value;
  }

  list(): T[] {
    return Array.from(this.cached.values(), ({ value }) => value);
  }

  entries(): [string, T][] {
    return Array.from(this.cached, ([key, { value }]) => [key, value]);
  }

  get size(): number {
    return this.cached.size;
  }

  byIndex(index: string, value: string): T[] {
    const storeIndex = this.indexes.get(index);
    if (!storeIndex) throw new Error(`the store has no index ${index}`);
    const values: T[] = [];
    for (const key of storeIndex.get(value)) {
      const entry = this.cached.get(key);
      if (entry) values.push(entry.value);
    }
    return values;
  }

  get undecodable(): ReadonlyMap<string, unknown> {
    return this.undecodableObjects.errors;
  }

  get resourceVersion(): string | undefined {
    return this.latestVersion;
  }

  /** Applies a watch event; a bookmark only advances the version. */
  observe({ type, object }: WatchEvent): void {
    const version = object.metadata.resourceVersion;
    if (this.latestVersion === undefined || isNewer(version, this.latestVersion)) this.latestVersion = version;
    if (type === 'ADDED' || type === 'MODIFIED') this.upsert(object);
    else if (type === 'DELETED') this.applyDeletion(object);
  }

  /**
   * Caches the response of this process's write at once. Ignored if the store has a later version, or if the object is not
   * cached and its version is not newer than the store's. The object must match the reflector's selection.
   */
  offer(object: LiveObject): void {
    const { resourceVersion } = object.metadata;
    const isUncached = !this.cached.has(keyOf(object));
    if (isUncached && this.latestVersion !== undefined && !isNewer(resourceVersion, this.latestVersion)) return;
    this.upsert(object);
  }

  /**
   * Removes an object that this process deleted, if it still has that UID. If finalizers keep it, the next watch event
   * adds it again.
   */
  offerDeleted(key: string, uid: string): void {
    const entry = this.cached.get(key);
    if (entry?.uid !== uid) return;
    this.deleting.set(key, uid);
    this.emit([this.removeEntry(key, entry)]);
  }

  /** Decodes an object of a list; the cached value of the same version is reused. */
  decode(object: LiveObject): ListedObject<T> {
    const key = keyOf(object);
    const { uid, resourceVersion: version } = object.metadata;
    const entry = this.cached.get(key);
    if (entry?.uid === uid && entry.version === version) return { key, uid, version, value: { of: entry.value } };
    try {
      return { key, uid, version, value: { of: this.options.transform(object) } };
    } catch (error) {
      this.addUndecodable(key, version, error);
      return { key, uid, version };
    }
  }

  /**
   * Applies a complete list of one version. A cached object that the list lacks is deleted, unless a write of this process
   * cached it after that version. A version before the latest one means that etcd was restored: then the list takes precedence.
   */
  replace(list: Iterable<ListedObject<T>>, version: string): void {
    const isRestored = this.latestVersion !== undefined && isNewer(this.latestVersion, version);
    this.latestVersion = version;
    this.deleting.clear();
    const present = new Set<string>();
    const changes: StoreEvent<T>[] = [];
    for (const listed of list) {
      present.add(listed.key);
      const entry = this.cached.get(listed.key);
      const isSame = entry?.uid === listed.uid && entry.version === listed.version;
      if (!isSame && (isRestored || !entry || isNewer(listed.version, entry.version)))
        changes.push(...this.upsertListed(listed));
    }
    for (const [key, entry] of this.cached) {
      if (!present.has(key) && (isRestored || !isNewer(entry.version, version)))
        changes.push(this.removeEntry(key, entry));
    }
    this.undecodableObjects.retain(present);
    this.emit(changes);
  }

  private upsert(object: LiveObject): void {
    const key = keyOf(object);
    const { uid, resourceVersion: version, deletionTimestamp } = object.metadata;
    if (this.deleting.get(key) === uid && deletionTimestamp === undefined) return; // an event from before the deletion
    const entry = this.cached.get(key);
    if (entry && !isNewer(version, entry.version)) return;
    this.deleting.delete(key);
    this.emit(this.upsertListed(this.decode(object)));
  }

  private applyDeletion(object: LiveObject): void {
    const key = keyOf(object);
    const { uid, resourceVersion: version } = object.metadata;
    if (this.deleting.get(key) === uid) this.deleting.delete(key);
    const failedVersion = this.undecodableObjects.version(key);
    if (failedVersion !== undefined && !isNewer(failedVersion, version)) this.undecodableObjects.delete(key);
    const entry = this.cached.get(key);
    if (!entry || isNewer(entry.version, version)) return;
    this.emit([{ ...this.removeEntry(key, entry), before: this.lastState(object, entry) }]);
  }

  /** Returns the final state of an object, which may be later than the cached one. */
  private lastState(object: LiveObject, entry: Entry<T>): T {
    try {
      return entry.uid === object.metadata.uid ? this.options.transform(object) : entry.value;
    } catch {
      return entry.value; // the object is gone, so its error is not reported
    }
  }

  private upsertListed({ key, uid, version, value }: ListedObject<T>): StoreEvent<T>[] {
    if (!value) return [];
    const after = value.of;
    let indexValues: (readonly [StoreIndex<T>, ReadonlySet<string>])[];
    try {
      indexValues = Array.from(this.indexes.values(), (index) => [index, index.values(after)] as const);
    } catch (error) {
      this.addUndecodable(key, version, error);
      return [];
    }
    const entry = this.cached.get(key);
    const removal = entry && this.removeEntry(key, entry);
    this.cached.set(key, { uid, version, value: after });
    for (const [index, values] of indexValues) index.add(values, key);
    this.undecodableObjects.delete(key);
    if (!entry || !removal) return [{ type: 'added', key, after }];
    if (entry.uid !== uid) return [removal, { type: 'added', key, after }];
    return [{ type: 'updated', key, before: entry.value, after }];
  }

  private removeEntry(key: string, { value }: Entry<T>): Extract<StoreEvent<T>, { type: 'deleted' }> {
    for (const index of this.indexes.values()) index.remove(index.values(value), key);
    this.cached.delete(key);
    return { type: 'deleted', key, before: value };
  }

  private addUndecodable(key: string, version: string, error: unknown): void {
    if (this.undecodableObjects.add(key, version, error)) this.options.onUndecodable?.(key, error);
  }

  private emit(changes: readonly StoreEvent<T>[]): void {
    for (const change of changes) this.options.onChange?.(change);
  }
}
