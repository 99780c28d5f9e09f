import { type Registry } from 'prom-client';
import { type ControllerScope } from '../expand';
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
  /** What the controller reconciles. @default - workloads, and Projects and the Platform */
  readonly scopes?: readonly ControllerScope[];
  /** List and watch settings. @default - as client-go's */
  readonly reflector?: ReflectorTuning;
}

/** Informer cache of the cluster; explains which kinds are not synced yet. */
export class ClusterCache {
  /** Cached objects. */
  readonly stores: InformerStores;
  readonly #factory: InformerFactory;
  /** Errors of resources that have not been listed yet, by plural. */
  readonly #listErrors = new Map<string, string>();

  constructor({ client, clock, log, registry, scopes, reflector }: ClusterCacheOptions) {
    this.#factory = new InformerFactory({
      ...reflector,
      client,
      clock,
      registry,
      onError: (error: unknown, { plural }: Resource) => {
        const text = errorText(error);
        if (!this.#factory.hasSynced()) this.#listErrors.set(plural, text);
        log.warn('watch failed', { resource: plural, error: text });
      },
      onUndecodable: (key: string, error: unknown, { plural }: Resource) =>
        log.error('object could not be decoded', { resource: plural, key, error: errorText(error) }),
    });
    this.stores = new InformerStores(this.#factory, scopes);
  }

  /** Starts the informers; resolves when all caches are synced. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#factory.start();
    await this.#factory.waitForSync(signal);
    this.#listErrors.clear();
  }

  /** Stops all watches. */
  stop(): Promise<void> {
    return this.#factory.stop();
  }

  /** Returns which kinds are not synced yet, and why; undefined if all are. */
  unsyncedReason(): string | undefined {
    const unsynced = this.#factory.unsynced();
    if (unsynced.length === 0) return undefined;
    const reasons = unsynced.map((plural) => {
      const error = this.#listErrors.get(plural);
      return error === undefined ? plural : `${plural} (${error})`;
    });
    return `caches are not synced yet: ${reasons.join(', ')}`;
  }
}
