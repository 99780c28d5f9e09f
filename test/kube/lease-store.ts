import { ApiError, type KubeClient, type LiveObject, type SentObject } from '../../lib/kube';
import { type ManualClock } from './manual-clock';

/** Network conditions for one client's requests; delays are in milliseconds of the shared clock. */
export interface NetworkConditions {
  /** Latency of the request, and of its response. */
  readonly delay: () => number;
  /** Whether the request or its response is lost. */
  readonly lost: () => boolean;
}

/** One Lease with resource versions. A fake, because the real server cannot run on a simulated clock. */
export class LeaseStore {
  #lease: LiveObject | undefined;
  #version = 0;

  constructor(private readonly time: ManualClock) {}

  get lease(): LiveObject | undefined {
    return this.#lease;
  }

  /** A client with its own network conditions; implements only what an election needs. */
  client(network: NetworkConditions): KubeClient {
    const methods = {
      get: (_: unknown, __: unknown, options?: { readonly signal?: AbortSignal }) =>
        this.#send(network, options?.signal, () => this.#lease),
      create: (object: SentObject, options?: { readonly signal?: AbortSignal }) =>
        this.#send(network, options?.signal, () => {
          if (this.#lease) throw new ApiError(409, 'AlreadyExists', 'already exists');
          return this.#store(object);
        }),
      update: (object: SentObject, options?: { readonly signal?: AbortSignal }) =>
        this.#send(network, options?.signal, () => {
          const { resourceVersion } = object.metadata as { readonly resourceVersion?: string };
          if (this.#lease?.metadata.resourceVersion !== resourceVersion) {
            throw new ApiError(409, 'Conflict', 'the version differs');
          }
          return this.#store(object);
        }),
    };
    const client = { ...methods, unlimited: undefined as unknown };
    client.unlimited = client;
    return client as unknown as KubeClient;
  }

  #store(object: SentObject): LiveObject {
    this.#version += 1;
    const metadata = { ...object.metadata, uid: 'lease', resourceVersion: `${this.#version}` };
    return (this.#lease = { ...object, metadata } as LiveObject);
  }

  #send<T>(network: NetworkConditions, signal: AbortSignal | undefined, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // As with a real connection, a request arrives even if its sender has aborted it.
      signal?.addEventListener('abort', () => reject(new ApiError(0, 'Aborted', 'aborted')));
      if (network.lost()) return;
      this.time.after(network.delay(), () => {
        let settle: () => void;
        try {
          const result = act();
          settle = () => resolve(result);
        } catch (error) {
          settle = () => reject(error as Error);
        }
        if (!network.lost()) this.time.after(network.delay(), settle);
      });
    });
  }
}
