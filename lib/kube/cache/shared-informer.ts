import { type Clock } from '../../process';
import { type KubeClient, type Selection } from '../client/kube-client';
import { type LiveObject } from '../objects/live-object';
import { Reflector, type ReflectorTuning } from './reflector';
import { type ReflectorMeter } from './reflector-metrics';
import { type Resource } from '../objects/resource';
import { type StoreEvent, type Indexers, Store } from './store';
import { type StoreReader } from './store-reader';

/** Event handler of an informer. Its errors and rejections go to `onError` and do not affect other handlers. */
export interface ResourceEventHandler<T> {
  onAdd?(after: T, key: string): void;
  /** At a resync, `before` and `after` are the same. */
  onUpdate?(before: T, after: T, key: string): void;
  /**
   * `last` is the last known state. An object that is replaced by another one of the same name is deleted, then added.
   */
  onDelete?(last: T, key: string): void;
}

/** Options of an informer. */
export interface InformerOptions<T> extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  /** Returns the value to cache for an object. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /**
   * Milliseconds after which handlers receive every object again as updated, plus up to 10% jitter.
   * @default - never
   */
  readonly resync?: number;
  /** Called for failed requests and for errors of handlers. */
  readonly onError: (error: unknown) => void;
  /** Called once for each version of an object that cannot be decoded. */
  readonly onUndecodable?: (key: string, error: unknown) => void;
  readonly meter?: ReflectorMeter;
}

/** Reflector and store that any number of handlers share. */
export class SharedInformer<T> {
  private readonly cache: Store<T>;
  private readonly reflector: Reflector<T>;
  private readonly handlers = new Set<{ readonly handler: ResourceEventHandler<T> }>();
  private readonly stopping = new AbortController();
  private readonly syncWaiters = new Set<() => void>();
  private running: Promise<void> | undefined;
  private synced = false;
  private cancelResync: (() => void) | undefined;

  constructor(private readonly options: InformerOptions<T>) {
    const { transform, indexers, meter } = options;
    this.cache = new Store<T>({
      transform,
      ...(indexers && { indexers }),
      onChange: (change) => this.notifyAll(change),
      onUndecodable: (key, error) => {
        meter?.recordUndecodable();
        this.guard(() => options.onUndecodable?.(key, error));
      },
    });
    this.reflector = new Reflector<T>({ ...options, store: this.cache, onListed: () => this.markSynced() });
  }

  /** Cached objects. */
  get store(): StoreReader<T> {
    return this.cache;
  }

  /** Adds a handler, which receives all cached objects as added; the returned function removes it. */
  addEventHandler(handler: ResourceEventHandler<T>): () => void {
    const entry = { handler };
    for (const [key, after] of this.cache.entries()) this.notify(handler, { type: 'added', key, after });
    this.handlers.add(entry);
    return () => this.handlers.delete(entry);
  }

  /** Starts to list and watch. A stopped informer cannot be started again. */
  start(): void {
    if (this.running || this.stopping.signal.aborted) return;
    this.running = this.reflector.run(this.stopping.signal);
    this.scheduleResync();
  }

  /** Ends the watch; resolves when no request or timer remains. The cached objects remain. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancelResync?.();
    this.options.meter?.close();
    await this.running;
  }

  /** Returns whether the first list is cached and all handlers have received it. */
  hasSynced(): boolean {
    return this.synced;
  }

  /** Resolves when it has synced; rejects with the signal's reason if it is aborted first. */
  waitForCacheSync(signal?: AbortSignal): Promise<void> {
    if (this.synced) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        signal?.removeEventListener('abort', settle);
        this.syncWaiters.delete(settle);
        if (signal?.aborted) reject(signal.reason as Error);
        else resolve();
      };
      this.syncWaiters.add(settle);
      signal?.addEventListener('abort', settle);
      if (signal?.aborted) settle();
    });
  }

  /**
   * Time of the last complete list, event or bookmark, which the store contains, in milliseconds since 1970; undefined
   * before the first list.
   */
  lastContactAt(): number | undefined {
    return this.reflector.lastContactAt;
  }

  /** Caches the response of this process's write at once; see `Store.offer`. */
  offer(object: LiveObject): void {
    this.cache.offer(object);
  }

  /** Removes an object that this process deleted at once; see `Store.offerDeleted`. */
  offerDeleted(key: string, uid: string): void {
    this.cache.offerDeleted(key, uid);
  }

  /** Notifies all handlers of every cached object, as updated. */
  resync(): void {
    for (const [key, value] of this.cache.entries())
      this.notifyAll({ type: 'updated', key, before: value, after: value });
  }

  private scheduleResync(): void {
    const { clock, resync } = this.options;
    if (resync === undefined) return;
    this.cancelResync = clock.after(resync * (1 + clock.random() / 10), () => {
      this.resync();
      this.scheduleResync();
    });
  }

  private markSynced(): void {
    this.synced = true;
    for (const settle of [...this.syncWaiters]) settle();
  }

  private notifyAll(change: StoreEvent<T>): void {
    for (const { handler } of [...this.handlers]) this.notify(handler, change);
  }

  private notify(handler: ResourceEventHandler<T>, change: StoreEvent<T>): void {
    this.guard(() => {
      if (change.type === 'added') return handler.onAdd?.(change.after, change.key);
      if (change.type === 'updated') return handler.onUpdate?.(change.before, change.after, change.key);
      return handler.onDelete?.(change.before, change.key);
    });
  }

  /** Runs a callback, and reports its error or rejection. */
  private guard(call: () => unknown): void {
    try {
      const result = call();
      if (result instanceof Promise) result.catch((error: unknown) => this.options.onError(error));
    } catch (error) {
      this.options.onError(error);
    }
  }
}
