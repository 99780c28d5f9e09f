import { type Clock } from './clock';
import { type KubeClient, type Selection } from './kube-client';
import { type LiveObject } from './live-object';
import { Reflector, type ReflectorTuning } from './reflector';
import { type ReflectorMeter } from './reflector-metrics';
import { type Resource } from './resource';
import { type Change, type Indexers, Store } from './store';
import { type StoreReader } from './store-reader';

/** Hears of the objects of an informer. What it throws, or rejects with, goes to `onError` and stops nobody else. */
export interface InformerHandler<T> {
  added?(after: T, key: string): void;
  /** At a resync `before` and `after` are the same. */
  updated?(before: T, after: T, key: string): void;
  /** `last` is the last known state. An object replaced by another of the same name is deleted, then added. */
  deleted?(last: T, key: string): void;
}

/** What an informer is made of. */
export interface InformerOptions<T> extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  /** Makes what is kept of an object. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /** Milliseconds after which handlers hear of every object again, as updated; up to a tenth more, at random. @default - never */
  readonly resync?: number;
  /** Hears of requests that failed and of what handlers throw. */
  readonly onError: (error: unknown) => void;
  /** Hears once of each version of an object that could not be transformed. */
  readonly onBroken?: (key: string, error: unknown) => void;
  readonly meter?: ReflectorMeter;
}

/** One reflector and one store, shared by any number of handlers. */
export class SharedInformer<T> {
  private readonly kept: Store<T>;
  private readonly reflector: Reflector<T>;
  private readonly handlers = new Set<{ readonly handler: InformerHandler<T> }>();
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<() => void>();
  private running: Promise<void> | undefined;
  private synced = false;
  private takeBackResync: (() => void) | undefined;

  constructor(private readonly options: InformerOptions<T>) {
    const { transform, indexers, meter } = options;
    this.kept = new Store<T>({
      transform,
      ...(indexers && { indexers }),
      onChange: (change) => this.tellAll(change),
      onBroken: (key, error) => {
        meter?.broken();
        this.guard(() => options.onBroken?.(key, error));
      },
    });
    this.reflector = new Reflector<T>({ ...options, store: this.kept, onListed: () => this.listed() });
  }

  /** What is known, to read. */
  get store(): StoreReader<T> {
    return this.kept;
  }

  /** Adds a handler, which hears of all known objects as added; the returned function removes it. */
  addHandler(handler: InformerHandler<T>): () => void {
    const entry = { handler };
    for (const [key, after] of this.kept.entries()) this.tell(handler, { type: 'added', key, after });
    this.handlers.add(entry);
    return () => this.handlers.delete(entry);
  }

  /** Begins to list and watch. Once only: what was stopped stays stopped. */
  start(): void {
    if (this.running || this.stopping.signal.aborted) return;
    this.running = this.reflector.run(this.stopping.signal);
    this.planResync();
  }

  /** Ends the watch; fulfilled when no request, timer or socket is left. The store keeps what it has. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.takeBackResync?.();
    this.options.meter?.close();
    await this.running;
  }

  /** Whether the first list is in the store and all handlers have heard of it. */
  hasSynced(): boolean {
    return this.synced;
  }

  /** Fulfilled when it has synced; rejected with the signal's reason where that is raised before. */
  waitForSync(signal?: AbortSignal): Promise<void> {
    if (this.synced) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        signal?.removeEventListener('abort', settle);
        this.waiting.delete(settle);
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      };
      this.waiting.add(settle);
      signal?.addEventListener('abort', settle);
      if (signal?.aborted) settle();
    });
  }

  /** When the server was last heard, in milliseconds since 1970; undefined before the first answer. */
  lastHeard(): number | undefined {
    return this.reflector.lastHeard;
  }

  /** Puts the answer of an own write into the store at once; see `Store.offer`. */
  offer(object: LiveObject): void {
    this.kept.offer(object);
  }

  /** Takes an object that an own request deleted out of the store at once; see `Store.offerDeleted`. */
  offerDeleted(key: string, uid: string): void {
    this.kept.offerDeleted(key, uid);
  }

  /** Tells all handlers of every known object again, as updated. */
  resync(): void {
    for (const [key, value] of this.kept.entries()) this.tellAll({ type: 'updated', key, before: value, after: value });
  }

  private planResync(): void {
    const { clock, resync } = this.options;
    if (resync === undefined) return;
    this.takeBackResync = clock.after(resync * (1 + clock.random() / 10), () => {
      this.resync();
      this.planResync();
    });
  }

  private listed(): void {
    this.synced = true;
    for (const settle of [...this.waiting]) settle();
  }

  private tellAll(change: Change<T>): void {
    for (const { handler } of [...this.handlers]) this.tell(handler, change);
  }

  private tell(handler: InformerHandler<T>, change: Change<T>): void {
    this.guard(() => {
      if (change.type === 'added') return handler.added?.(change.after, change.key);
      if (change.type === 'updated') return handler.updated?.(change.before, change.after, change.key);
      return handler.deleted?.(change.before, change.key);
    });
  }

  /** Runs foreign code: what it throws is told, and so is what it rejects with. */
  private guard(call: () => unknown): void {
    try {
      const answer = call();
      if (answer instanceof Promise) answer.catch((error: unknown) => this.options.onError(error));
    } catch (error) {
      this.options.onError(error);
    }
  }
}
