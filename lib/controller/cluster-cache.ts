import { type Registry } from 'prom-client';
import {
  type Clock,
  InformerFactory,
  type KubeClient,
  type ReflectorTuning,
  type Resource,
  errorText,
  type Log,
} from '../kube';
import { InformerStores } from './observed/informer-stores';

/** Options of a cluster cache. */
export interface ClusterCacheOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  /** List and watch settings. @default - as client-go's */
  readonly reflector?: ReflectorTuning;
}

/** Informer cache of the cluster, with the reasons why kinds are missing. */
export class ClusterCache {
  /** Cached objects. */
  readonly stores: InformerStores;
  readonly #factory: InformerFactory;
  /** Errors of resources that could not be listed, by plural. */
  readonly #unlisted = new Map<string, string>();

  constructor({ client, clock, log, registry, reflector }: ClusterCacheOptions) {
    this.#factory = new InformerFactory({
      ...reflector,
      client,
      clock,
      registry,
      onError: (error: unknown, { plural }: Resource) => {
        const text = errorText(error);
        if (!this.#factory.hasSynced()) this.#unlisted.set(plural, text);
        log.warn('watch failed', { resource: plural, error: text });
      },
      onUndecodable: (key: string, error: unknown, { plural }: Resource) =>
        log.error('object set aside', { resource: plural, key, error: errorText(error) }),
    });
    this.stores = new InformerStores(this.#factory);
  }

  /** Starts the informers; resolves when all caches are synced. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#factory.start();
    await this.#factory.waitForSync(signal);
    this.#unlisted.clear();
  }

  /** Stops all watches. */
  stop(): Promise<void> {
    return this.#factory.stop();
  }

  /** Returns the kinds whose first list is missing, and why; undefined if there are none. */
  gap(): string | undefined {
    const missing = this.#factory.unsynced();
    if (missing.length === 0) return undefined;
    const reasons = missing.map((plural) => {
      const why = this.#unlisted.get(plural);
      return why === undefined ? plural : `${plural} (${why})`;
    });
    return `caches are not synced yet: ${reasons.join(', ')}`;
  }
}
