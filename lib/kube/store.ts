import { BrokenObjects } from './broken-objects';
import { type WatchEvent } from './kube-client';
import { keyOf, type LiveObject } from './live-object';
import { isNewer } from './resource-version';
import { StoreIndex } from './store-index';
import { type StoreReader } from './store-reader';

/** What happened to one key of a store. */
export type Change<T> =
  | { readonly type: 'added'; readonly key: string; readonly after: T }
  | { readonly type: 'updated'; readonly key: string; readonly before: T; readonly after: T }
  | { readonly type: 'deleted'; readonly key: string; readonly before: T };

/** Index functions by name; each gives any number of values for an object, and depends on nothing else. */
export type Indexers<T> = Readonly<Record<string, (value: T) => readonly string[]>>;

/** How a store keeps its objects. */
export interface StoreOptions<T> {
  /** Makes what is kept of an object, before anything is kept. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /** Hears of every change, after it is made. */
  readonly onChange?: (change: Change<T>) => void;
  /** Hears once of each version of an object whose transform or index function throws; the last sound state stays in the store. */
  readonly onBroken?: (key: string, error: unknown) => void;
}

/** An object of a list, ready to be kept; without a value where it is broken. */
export interface Sighting<T> {
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

/** What is kept of the objects of one resource. Versions never go back: what is older than what is kept is ignored. */
export class Store<T> implements StoreReader<T> {
  private readonly kept = new Map<string, Entry<T>>();
  private readonly indexes: ReadonlyMap<string, StoreIndex<T>>;
  private readonly aside = new BrokenObjects();
  /** Uids of objects that we deleted and whose end the watch has not told yet, by key. */
  private readonly leaving = new Map<string, string>();
  private seen: string | undefined;

  constructor(private readonly options: StoreOptions<T>) {
    this.indexes = new Map(
      Object.entries(options.indexers ?? {}).map(([name, valuesOf]) => [name, new StoreIndex(valuesOf)]),
    );
  }

  get(key: string): T | undefined {
    return this.kept.get(key)?.value;
  }

  list(): T[] {
    return Array.from(this.kept.values(), ({ value }) => value);
  }

  entries(): [string, T][] {
    return Array.from(this.kept, ([key, { value }]) => [key, value]);
  }

  get size(): number {
    return this.kept.size;
  }

  byIndex(index: string, value: string): T[] {
    const found = this.indexes.get(index);
    if (!found) throw new Error(`the store has no index ${index}`);
    const values: T[] = [];
    for (const key of found.get(value)) {
      const entry = this.kept.get(key);
      if (entry) values.push(entry.value);
    }
    return values;
  }

  get broken(): ReadonlyMap<string, unknown> {
    return this.aside.errors;
  }

  get resourceVersion(): string | undefined {
    return this.seen;
  }

  /** Takes in a message of a watch; a bookmark only moves the version on. */
  observe({ type, object }: WatchEvent): void {
    const version = object.metadata.resourceVersion;
    if (this.seen === undefined || isNewer(version, this.seen)) this.seen = version;
    if (type === 'ADDED' || type === 'MODIFIED') this.take(object);
    else if (type === 'DELETED') this.takeEnd(object);
  }

  /**
   * Puts the answer of an own write into the store at once. Ignored where the store already knows something newer: a
   * later version, or, of an object that is not stored, that it is gone. The object must match the reflector's selection.
   */
  offer(object: LiveObject): void {
    const { resourceVersion } = object.metadata;
    const unknown = !this.kept.has(keyOf(object));
    if (unknown && this.seen !== undefined && !isNewer(resourceVersion, this.seen)) return;
    this.take(object);
  }

  /**
   * Takes out an object that an own request deleted, where it is still the one of that uid. If it stays for its
   * finalizers, the next message of the watch brings it back.
   */
  offerDeleted(key: string, uid: string): void {
    const entry = this.kept.get(key);
    if (entry?.uid !== uid) return;
    this.leaving.set(key, uid);
    this.emit([this.drop(key, entry)]);
  }

  /** Makes an object of a list ready to be kept; what is kept of the same version already is used again. */
  sight(object: LiveObject): Sighting<T> {
    const key = keyOf(object);
    const { uid, resourceVersion: version } = object.metadata;
    const entry = this.kept.get(key);
    if (entry?.uid === uid && entry.version === version) return { key, uid, version, value: { of: entry.value } };
    try {
      return { key, uid, version, value: { of: this.options.transform(object) } };
    } catch (error) {
      this.setAside(key, version, error);
      return { key, uid, version };
    }
  }

  /**
   * Takes in a whole list of one version. What is stored and missing from it is deleted, unless an own write stored it
   * after that version. A version before the last one seen means that the server's history began anew: then the list wins.
   */
  replace(list: Iterable<Sighting<T>>, version: string): void {
    const anew = this.seen !== undefined && isNewer(this.seen, version);
    this.seen = version;
    this.leaving.clear();
    const present = new Set<string>();
    const changes: Change<T>[] = [];
    for (const sighting of list) {
      present.add(sighting.key);
      const entry = this.kept.get(sighting.key);
      const same = entry?.uid === sighting.uid && entry.version === sighting.version;
      if (!same && (anew || !entry || isNewer(sighting.version, entry.version))) changes.push(...this.keep(sighting));
    }
    for (const [key, entry] of this.kept) {
      if (!present.has(key) && (anew || !isNewer(entry.version, version))) changes.push(this.drop(key, entry));
    }
    this.aside.retain(present);
    this.emit(changes);
  }

  private take(object: LiveObject): void {
    const key = keyOf(object);
    const { uid, resourceVersion: version, deletionTimestamp } = object.metadata;
    if (this.leaving.get(key) === uid && deletionTimestamp === undefined) return; // told before our deletion
    const entry = this.kept.get(key);
    if (entry && !isNewer(version, entry.version)) return;
    this.leaving.delete(key);
    this.emit(this.keep(this.sight(object)));
  }

  private takeEnd(object: LiveObject): void {
    const key = keyOf(object);
    const { uid, resourceVersion: version } = object.metadata;
    if (this.leaving.get(key) === uid) this.leaving.delete(key);
    const broken = this.aside.version(key);
    if (broken !== undefined && !isNewer(broken, version)) this.aside.delete(key);
    const entry = this.kept.get(key);
    if (!entry || isNewer(entry.version, version)) return;
    this.emit([{ ...this.drop(key, entry), before: this.lastState(object, entry) }]);
  }

  /** The state in which an object ended, which may be later than the one that is kept. */
  private lastState(object: LiveObject, entry: Entry<T>): T {
    try {
      return entry.uid === object.metadata.uid ? this.options.transform(object) : entry.value;
    } catch {
      return entry.value; // it is gone: nobody has to mend it
    }
  }

  private keep({ key, uid, version, value }: Sighting<T>): Change<T>[] {
    if (!value) return [];
    const after = value.of;
    let indexed: (readonly [StoreIndex<T>, ReadonlySet<string>])[];
    try {
      indexed = Array.from(this.indexes.values(), (index) => [index, index.values(after)] as const);
    } catch (error) {
      this.setAside(key, version, error);
      return [];
    }
    const entry = this.kept.get(key);
    const dropped = entry && this.drop(key, entry);
    this.kept.set(key, { uid, version, value: after });
    for (const [index, values] of indexed) index.add(values, key);
    this.aside.delete(key);
    if (!entry || !dropped) return [{ type: 'added', key, after }];
    if (entry.uid !== uid) return [dropped, { type: 'added', key, after }];
    return [{ type: 'updated', key, before: entry.value, after }];
  }

  private drop(key: string, { value }: Entry<T>): Extract<Change<T>, { type: 'deleted' }> {
    for (const index of this.indexes.values()) index.remove(index.values(value), key);
    this.kept.delete(key);
    return { type: 'deleted', key, before: value };
  }

  private setAside(key: string, version: string, error: unknown): void {
    if (this.aside.add(key, version, error)) this.options.onBroken?.(key, error);
  }

  private emit(changes: readonly Change<T>[]): void {
    for (const change of changes) this.options.onChange?.(change);
  }
}
