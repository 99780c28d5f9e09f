import { isWorkloadKind } from '../api';
import { controllerName } from '../expand';
import { type IssuerKeys } from '../artifact';
import { EventRecorder, QueueMetrics, WorkQueue, errorText } from '../kube';
import { PlatformCache } from './platform-cache';
import { ApiServerWriter, NotLeadingError } from './api-server-writer';
import { GangReservations } from './run/gang-reservations';
import { ClusterCache, type ClusterCacheOptions } from './cluster-cache';
import { withWriteCallback } from './with-write-callback';
import { Expansions } from './workload-expansion';
import { InstalledPolicies } from './verification/installed-policies';
import { IssuerKeyCache } from './verification/issuer-key-cache';
import { WorkloadVerifier } from './verification/workload-verifier';
import { ReconcileCache } from './reconcile-cache';
import { RecentKeys } from './recent-keys';
import { reconcilePlatform } from './reconcile-platform';
import { ReconcileMetrics } from './reconcile-metrics';
import { reconcileWorkload } from './reconcile-workload';
import { type ReconcileResult, type ReconcileContext } from './reconcile-context';
import { parseWorkKey, type ResourceKey, type WorkKey } from './work-key';
import { registerEventHandlers, type EventHandlerDeps } from './register-event-handlers';

/** Options of the controller. */
export interface ControllerOptions extends ClusterCacheOptions {
  /** Returns whether this process may write; called before every write request. */
  readonly isLeading: () => boolean;
  /** Maximum concurrent reconciles. @default 16 */
  readonly workers?: number;
  /** Whether to log changes instead of making them. @default false */
  readonly dryRun?: boolean;
  /** Name of this process in its events. */
  readonly instance: string;
  /** Namespace of the controller. @default pinion-controller */
  readonly namespace?: string;
  /** Keys of the issuers of publishers. @default - fetched by OpenID Connect discovery */
  readonly issuerKeys?: IssuerKeys;
}

/** Initial and maximum retry delay of a failed reconcile, in milliseconds. */
const retries = { retryBase: 50, retryCap: 60_000 };
/**
 * Milliseconds without a response after which a reconcile counts as hung; retries that the server requests take at most
 * 20 minutes.
 */
const hungTimeout = 30 * 60_000;
/**
 * Milliseconds between resyncs, plus up to 10% jitter: they detect changes of resources that are not watched, such as
 * storage classes.
 */
const resyncInterval = 10 * 60_000;

/** Maximum time for flushing events on shutdown, in milliseconds; the next leader waits for it. */
const eventFlushTimeout = 2000;

/** Thrown to requeue an object with back-off; the rejected requests are in its status. */
class RejectedError extends Error {
  override readonly name = 'RejectedError' as const;
}

/** The controller: informers, a work queue of changed resources, and workers that reconcile them. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #cache: ClusterCache;
  readonly #queue: WorkQueue;
  readonly #recent: RecentKeys;
  readonly #recorder: EventRecorder;
  readonly #context: ReconcileContext;
  readonly #metrics: ReconcileMetrics;
  /** Time of the last response of each reconcile in progress. */
  readonly #inProgress = new Map<WorkKey, number>();
  #workers: Promise<void> | undefined;
  #cancelResync: (() => void) | undefined;

  constructor(options: ControllerOptions) {
    const { client, clock, log, registry, isLeading, dryRun = false, instance, issuerKeys } = options;
    const { namespace = controllerName } = options;
    this.#options = options;
    this.#cache = new ClusterCache(options);
    const { stores } = this.#cache;
    const platformCache = new PlatformCache({
      platform: () => stores.resource('Platform', '', 'cluster'),
      profile: (name) => stores.resource('RuntimeProfile', '', name),
      project: (name) => stores.resource('Project', '', name),
      projects: () => stores.resources('Project'),
    });
    this.#queue = new WorkQueue({ clock, ...retries, meter: new QueueMetrics(registry, clock).meter('pinion') });
    this.#recorder = new EventRecorder({
      client,
      clock,
      component: 'pinion',
      instance,
      onError: (error) => log.warn('event not recorded', { error: errorText(error) }),
    });
    const writer = new ApiServerWriter({ client, stores, recorder: this.#recorder, log, isLeading, dryRun });
    const cache = new ReconcileCache();
    const gangs = new GangReservations();
    const expansions = new Expansions();
    const now = () => clock.now();
    const policies = new InstalledPolicies(namespace, options.scopes?.length !== 1, (kind, name) =>
      stores.child(kind, '', name),
    );
    const verifier = new WorkloadVerifier({ issuerKeys: new IssuerKeyCache(clock, issuerKeys).of, policies, now });
    this.#context = { stores, platformCache, writer, cache, gangs, expansions, verifier, now };
    this.#metrics = new ReconcileMetrics(registry, stores, policies);
    this.#recent = new RecentKeys(now);
    // Queues nothing before this process leads: keys of created and deleted resources would accumulate.
    const queue: EventHandlerDeps['queue'] = {
      add: (key) => this.#isOwn(key) && (this.#workers ? this.#queue.add(key) : this.#recent.add(key)),
      addAfter: (key, milliseconds) => this.#isOwn(key) && this.#workers && this.#queue.addAfter(key, milliseconds),
    };
    registerEventHandlers({ stores, queue, cache, platformCache, writer, expansions, verifier, policies, gangs });
  }

  /** Starts the informers; resolves when all caches are synced. */
  start(signal?: AbortSignal): Promise<void> {
    return this.#cache.start(signal);
  }

  /** Starts to reconcile; later calls have no effect. */
  lead(): void {
    const { workers = 16, log } = this.#options;
    if (this.#workers) return;
    this.#workers = this.#queue.run(
      workers,
      (key) => this.#process(key),
      (error, key) => {
        if (error instanceof NotLeadingError || error instanceof RejectedError) log.debug(error.message, { key });
        else log.warn('reconcile failed', { key, error: errorText(error) });
      },
    );
    // Changes made while there was no leader are reconciled first; the previous leader handled the rest.
    for (const key of this.#recent.take()) this.#queue.add(key);
    this.#queueAll();
    this.#scheduleResync();
  }

  /** Queues every resource at a lower priority than changed ones; `keepCache` keeps the results of earlier reconciles. */
  resync({ keepCache = false }: { readonly keepCache?: boolean } = {}): void {
    if (!keepCache) this.#context.cache.reset();
    this.#queueAll();
  }

  /** Resolves when the queue is empty and no reconcile is in progress. */
  idle(): Promise<void> {
    return this.#queue.drain();
  }

  /** Finishes reconciles in progress, starts no more, and records their events while this process still leads. */
  async drain(): Promise<void> {
    this.#cancelResync?.();
    await this.#queue.shutDown({ discard: true });
    await this.#workers;
    await this.#recorder.stop(eventFlushTimeout);
  }

  /** Finishes reconciles in progress, starts no more, and stops all watches. */
  async stop(): Promise<void> {
    await this.drain();
    await this.#cache.stop();
  }

  /** Returns why the process cannot take over leadership yet; undefined if it is ready. */
  notReadyReason(): string | undefined {
    return this.#cache.unsyncedReason();
  }

  /** Returns why the process should be restarted; undefined while it is healthy. */
  unhealthyReason(): string | undefined {
    const now = this.#options.clock.now();
    for (const [key, since] of this.#inProgress) if (now - since > hungTimeout) return `the reconcile of ${key} hangs`;
    return undefined;
  }

  #queueAll(): void {
    for (const key of this.#cache.stores.allKeys()) if (this.#isOwn(key)) this.#queue.add(key, 'resync');
  }

  /** Returns whether this controller reconciles a resource. */
  #isOwn(key: WorkKey): boolean {
    const { scopes } = this.#options;
    return !scopes || scopes.includes(isWorkloadKind(parseWorkKey(key).kind) ? 'workloads' : 'platform');
  }

  #scheduleResync(): void {
    const { clock } = this.#options;
    this.#cancelResync = clock.after(resyncInterval * (1 + clock.random() / 10), () => {
      this.resync();
      this.#scheduleResync();
    });
  }

  async #process(key: WorkKey): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const recordResponse = () => void this.#inProgress.set(key, clock.now());
    recordResponse();
    const resource = parseWorkKey(key);
    const writer = withWriteCallback(this.#context.writer, recordResponse);
    let result: 'done' | 'refused' | 'failed' = 'failed';
    try {
      const { requeueAfter, retry } = await this.#reconcile(resource, { ...this.#context, writer });
      result = retry ? 'refused' : 'done';
      if (requeueAfter !== undefined) this.#queue.addAfter(key, Math.max(1, requeueAfter));
      if (retry) throw new RejectedError('a request was rejected or conflicted');
    } finally {
      this.#inProgress.delete(key);
      this.#metrics.observe(resource.kind, result, (clock.now() - startedAt) / 1000);
    }
  }

  #reconcile(resource: ResourceKey, context: ReconcileContext): Promise<ReconcileResult> {
    return isWorkloadKind(resource.kind)
      ? reconcileWorkload(resource, context)
      : reconcilePlatform({ ...resource, kind: resource.kind }, context);
  }
}
