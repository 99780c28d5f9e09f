import { type Clock } from './clock';
import { type KubeClient, type Selection } from './kube-client';
import { type LiveObject } from './live-object';
import { type ReflectorTuning } from './reflector';
import { ReflectorMetrics } from './reflector-metrics';
import { type Resource } from './resource';
import { SharedInformer } from './shared-informer';
import { type Indexers } from './store';
import { type Registry } from 'prom-client';

/** What all informers of a factory have in common. */
export interface InformerFactoryOptions extends ReflectorTuning {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Where metrics go. @default - nowhere */
  readonly registry?: Registry;
  /** Hears of requests that failed and of what handlers throw. */
  readonly onError: (error: unknown, resource: Resource) => void;
  /** Hears once of each version of an object that could not be transformed. */
  readonly onBroken?: (key: string, error: unknown, resource: Resource) => void;
}

/** What one informer keeps. */
export interface InformerRequest<T> extends ReflectorTuning {
  readonly resource: Resource;
  /** @default - all objects of the resource */
  readonly selection?: Selection;
  /** Makes what is kept of an object; `withoutWeight` keeps the object. */
  readonly transform: (object: LiveObject) => T;
  /** @default - none */
  readonly indexers?: Indexers<T>;
  /** @default - never */
  readonly resync?: number;
  /** The others are whole without it: nobody waits for its first list, as of a resource that only some clusters have. @default false */
  readonly optional?: boolean;
}

/** What an informer does whatever it keeps. */
type AnyInformer = Pick<SharedInformer<unknown>, 'start' | 'stop' | 'hasSynced' | 'waitForSync' | 'lastHeard'>;

interface Shared {
  readonly informer: AnyInformer;
  readonly transform: unknown;
  readonly indexers: unknown;
  readonly optional: boolean;
  readonly plural: string;
}

/** Informers, one for each resource and selection, however many ask for it. */
export class InformerFactory {
  private readonly shared = new Map<string, Shared>();
  private readonly metrics: ReflectorMetrics | undefined;
  private started = false;

  constructor(private readonly options: InformerFactoryOptions) {
    this.metrics = options.registry && new ReflectorMetrics(options.registry);
  }

  /**
   * The informer of a resource and selection; made at the first call, and started at once where the others run already.
   * Throws where it was made with another transform or other indexers: then two callers would not get what they asked for.
   */
  informer<T>(request: InformerRequest<T>): SharedInformer<T> {
    const { resource, selection = {}, transform, indexers, optional = false } = request;
    const { namespace = '', labelSelector = '', fieldSelector = '' } = selection;
    const key = JSON.stringify([resource.apiVersion, resource.plural, namespace, labelSelector, fieldSelector]);
    const shared = this.shared.get(key);
    if (shared) {
      if (shared.transform !== transform || shared.indexers !== indexers)
        throw new Error(
          `the informer of ${resource.plural} is shared already, with another transform or other indexers`,
        );
      return shared.informer as SharedInformer<T>; // the same transform makes the same type
    }
    const informer = this.make(request);
    this.shared.set(key, { informer, transform, indexers, optional, plural: resource.plural });
    if (this.started) informer.start();
    return informer;
  }

  /** Starts all informers. */
  start(): void {
    this.started = true;
    for (const { informer } of this.shared.values()) informer.start();
  }

  /** Fulfilled when all have synced, optional ones apart; rejected with the signal's reason where that is raised before. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    // One after the other: each listens to the signal while it waits.
    for (const informer of this.needed()) await informer.waitForSync(signal);
  }

  /** Whether all have synced, optional ones apart. */
  hasSynced(): boolean {
    return this.needed().every((informer) => informer.hasSynced());
  }

  /** Plurals of the resources whose first list is not in, optional ones apart. */
  unsynced(): readonly string[] {
    return [...this.shared.values()]
      .filter(({ optional, informer }) => !optional && !informer.hasSynced())
      .map(({ plural }) => plural);
  }

  /** When the server was last heard by the informer that heard it longest ago; undefined while one never did. */
  lastHeard(): number | undefined {
    let oldest: number | undefined;
    for (const informer of this.needed()) {
      const time = informer.lastHeard();
      if (time === undefined) return undefined;
      oldest = Math.min(time, oldest ?? time);
    }
    return oldest;
  }

  /** Stops all; fulfilled when nothing of them is left. */
  async stop(): Promise<void> {
    await Promise.all(this.informers().map((informer) => informer.stop()));
  }

  private needed(): AnyInformer[] {
    return [...this.shared.values()].filter(({ optional }) => !optional).map(({ informer }) => informer);
  }

  private informers(): AnyInformer[] {
    return Array.from(this.shared.values(), ({ informer }) => informer);
  }

  private make<T>(request: InformerRequest<T>): SharedInformer<T> {
    const { registry: _, onError, onBroken, ...common } = this.options;
    const { resource, selection } = request;
    const narrowed = [selection?.namespace, selection?.labelSelector, selection?.fieldSelector].filter(Boolean);
    const name = narrowed.length === 0 ? resource.kind : `${resource.kind}[${narrowed.join(' ')}]`;
    return new SharedInformer<T>({
      ...common,
      ...request,
      onError: (error) => onError(error, resource),
      ...(onBroken && { onBroken: (key: string, error: unknown) => onBroken(key, error, resource) }),
      ...(this.metrics && { meter: this.metrics.meter(name) }),
    });
  }
}
