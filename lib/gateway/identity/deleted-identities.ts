import { type Clock, SharedInformerFactory, type KubeClient, type Resource, resourceOf } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';
import { type ApiCaller } from './api-caller';

/** Milliseconds for which a deletion is remembered: longer than any review of a token counts, here or at the API server. */
const rememberedFor = 60_000;

/** Key of a token's pod in the extra data of its review. */
const podUid = 'authentication.kubernetes.io/pod-uid';

/** Options of the deleted identities. */
export interface DeletedIdentitiesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Cache of pods. @default - a token outlives its pod until it is reviewed again */
  readonly pods?: ObjectCache | undefined;
  readonly onError: (error: unknown, resource: Resource) => void;
}

/**
 * Service accounts and pods that were deleted recently. The API server accepts their tokens for ten more seconds, because
 * it caches its reviews too; a watch shows the deletion at once.
 */
export class DeletedIdentities {
  readonly #uids = new Map<string, number>();
  readonly #factory: SharedInformerFactory;
  readonly #listeners = new Set<() => void>();
  #unsubscribe: () => void = () => undefined;

  constructor(private readonly options: DeletedIdentitiesOptions) {
    const { client, clock, onError } = options;
    this.#factory = new SharedInformerFactory({ client, clock, onError, streamLists: true });
    const accounts = this.#factory.informer({
      resource: resourceOf('ServiceAccount'),
      transform: ({ metadata }) => metadata.uid,
    });
    accounts.addEventHandler({
      onDelete: (uid) => this.#add(uid),
      onUpdate: (before, after) => before !== after && this.#add(before),
    });
  }

  /** Begins to watch; resolves when all service accounts are known. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#followPods();
    this.#factory.start();
    await this.#factory.waitForCacheSync(signal);
  }

  /** Returns whether the account or the pod that a caller's token belongs to was deleted. */
  includes({ uid, extra }: ApiCaller): boolean {
    return [uid, ...(extra[podUid] ?? [])].some((identity) => identity !== undefined && this.#uids.has(identity));
  }

  /** Calls back after every deletion; the returned function ends that. */
  onDeletion(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops watching. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#factory.stop();
  }

  #followPods(): void {
    this.#unsubscribe =
      this.options.pods?.subscribe({
        onEvent: ({ type, object }) => {
          if (type === 'DELETED') this.#add(object.uid);
        },
        onEnd: () => this.#followPods(),
      }) ?? this.#unsubscribe;
  }

  #add(uid: string): void {
    const now = this.options.clock.now();
    for (const [known, at] of this.#uids) {
      if (now - at < rememberedFor) break;
      this.#uids.delete(known);
    }
    this.#uids.set(uid, now);
    for (const listener of this.#listeners) listener();
  }
}
