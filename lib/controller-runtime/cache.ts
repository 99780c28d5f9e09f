import { type Registry } from 'prom-client';
import {
  type Clock,
  errorText,
  type InformerRequest,
  type KubeClient,
  type LiveObject,
  type Log,
  type ReflectorTuning,
  type Resource,
  type Selection,
  type SharedInformer,
  SharedInformerFactory,
  stripManagedFields,
} from '../kube';

/** Options of a cache. */
export interface CacheOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  /** List and watch settings. @default - as client-go's */
  readonly reflector?: ReflectorTuning;
}

/** Options of an informer of a cache. */
export interface InformerSettings extends Pick<InformerRequest<LiveObject>, 'indexers' | 'optional' | 'pageSize'> {
  /** @default - all objects of the resource */
  readonly selection?: Selection;
}

/** Informers that the controllers of a process share; states which resources are not synced yet, and why. */
export class Cache {
  /** Informers, also of resources whose objects are transformed. */
  readonly informers: SharedInformerFactory;
  /** Errors of resources that have not been listed yet, by plural. */
  readonly #listErrors = new Map<string, string>();

  constructor({ client, clock, log, registry, reflector }: CacheOptions) {
    this.informers = new SharedInformerFactory({
      ...reflector,
      client,
      clock,
      registry,
      onError: (error: unknown, { plural }: Resource) => {
        const text = errorText(error);
        if (!this.informers.hasSynced()) this.#listErrors.set(plural, text);
        log.warn('watch failed', { resource: plural, error: text });
      },
      onUndecodable: (key: string, error: unknown, { plural }: Resource) =>
        log.error('object could not be decoded', { resource: plural, key, error: errorText(error) }),
    });
  }

  /** Returns the informer of the objects of a resource, without their managed fields; the first call creates it. */
  informer(resource: Resource, options: InformerSettings = {}): SharedInformer<LiveObject> {
    return this.informers.informer({ ...options, resource, transform: stripManagedFields });
  }

  /** Starts the informers; resolves when all caches are synced. Rejects with the signal's reason if it is aborted first. */
  async start(signal?: AbortSignal): Promise<void> {
    this.informers.start();
    await this.informers.waitForCacheSync(signal);
    this.#listErrors.clear();
  }

  /** Stops all watches. */
  stop(): Promise<void> {
    return this.informers.stop();
  }

  /** Returns which resources are not synced yet, and why; undefined if all are. */
  unsyncedReason(): string | undefined {
    const unsynced = this.informers.unsynced();
    if (unsynced.length === 0) return undefined;
    const reasons = unsynced.map((plural) => {
      const error = this.#listErrors.get(plural);
      return error === undefined ? plural : `${plural} (${error})`;
    });
    return `caches are not synced yet: ${reasons.join(', ')}`;
  }
}
