import { isWorkloadKind } from '../api';
import { EventRecorder, QueueMetrics, WorkQueue, errorText } from '../kube';
import { PlatformCache } from './platform-cache';
import { ApiServerWriter, NotLeadingError } from './api-server-writer';
import { GangReservations } from './run/gang-reservations';
import { ClusterCache, type ClusterCacheOptions } from './cluster-cache';
import { withWriteCallback } from './with-write-callback';
import { Expansions } from './workload-expansion';
import { ReconcileCache } from './reconcile-cache';
import { RecentKeys } from './recent-keys';
import { reconcilePlatform } from './reconcile-platform';
import { ReconcileMetrics } from './reconcile-metrics';
import { reconcileWorkload } from './reconcile-workload';
import { type ReconcileResult, type ReconcileContext } from './reconcile-context';
import { documentOf, type KeyedDocument, type WorkKey } from './work-key';
import { registerEventHandlers, type Wires } from './register-event-handlers';

/** Options of the controller. */
export interface ControllerOptions extends ClusterCacheOptions {
  /** Whether this process may write; asked before every request that changes something. */
  readonly isLeading: () => boolean;
  /** Documents that are worked on at the same time. @default 16 */
  readonly workers?: number;
  /** Says what would be done and does nothing. @default false */
  readonly dryRun?: boolean;
  /** Name of this process in its events. */
  readonly instance: string;
}

/** First and longest delay of a document whose pass failed, in milliseconds. */
const retries = { retryBase: 50, retryCap: 60_000 };
/** A request that the server asks to send later again and again takes 20 minutes at most; a pass without any answer for longer hangs. */
const hanging = 30 * 60_000;
/** Milliseconds until everything is looked at again, up to a tenth more: what changes unseen, such as a class of storage, is seen then. */
const resyncInterval = 10 * 60_000;

/** Time that the next leader waits for the events of the previous one, in milliseconds. */
const farewell = 2000;

/** Thrown to requeue an object with back-off; the rejected requests are in its status. */
class RefusedError extends Error {
  override readonly name = 'RefusedError' as const;
}

/** The controller: informers that mirror the cluster, a queue of documents that changed, and workers that reconcile them. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #mirror: ClusterCache;
  readonly #queue: WorkQueue;
  readonly #recent: RecentKeys;
  readonly #recorder: EventRecorder;
  readonly #context: ReconcileContext;
  readonly #metrics: ReconcileMetrics;
  /** When something was last heard of each pass under way. */
  readonly #underWay = new Map<WorkKey, number>();
  #workers: Promise<void> | undefined;
  #takeBackResync: (() => void) | undefined;

  constructor(options: ControllerOptions) {
    const { client, clock, log, registry, isLeading, dryRun = false, instance } = options;
    this.#options = options;
    this.#mirror = new ClusterCache(options);
    const { stores } = this.#mirror;
    const platformCache = new PlatformCache({
      platform: () => stores.document('Platform', '', 'cluster'),
      profile: (name) => stores.document('RuntimeProfile', '', name),
      project: (name) => stores.document('Project', '', name),
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
    this.#context = { stores, platformCache, writer, cache, gangs, expansions, now: () => clock.now() };
    this.#metrics = new ReconcileMetrics(registry, stores);
    this.#recent = new RecentKeys(() => clock.now());
    // Until it leads, it queues no keys: those of documents that come and go would pile up.
    const queue: Wires['queue'] = {
      add: (key) => (this.#workers ? this.#queue.add(key) : this.#recent.note(key)),
      addAfter: (key, milliseconds) => this.#workers && this.#queue.addAfter(key, milliseconds),
    };
    registerEventHandlers({ stores, queue, cache, platformCache: platformCache, writer, expansions, gangs });
  }

  /** Begins to mirror the cluster; fulfilled when all of it is known. */
  start(signal?: AbortSignal): Promise<void> {
    return this.#mirror.start(signal);
  }

  /** Begins to reconcile. Once only. */
  lead(): void {
    const { workers = 16, log } = this.#options;
    if (this.#workers) return;
    this.#workers = this.#queue.run(
      workers,
      (key) => this.#work(key),
      (error, key) => {
        if (error instanceof NotLeadingError || error instanceof RefusedError) log.debug(error.message, { key });
        else log.warn('pass failed', { key, error: errorText(error) });
      },
    );
    // What changed while there was no leader is reconciled first; the previous leader took care of the rest.
    for (const key of this.#recent.take()) this.#queue.add(key);
    for (const key of this.#mirror.stores.allKeys()) this.#queue.add(key, 'resync');
    this.#planResync();
  }

  /** Puts every document into the queue again, behind those that changed; `trusting` what earlier passes found out, or not. */
  resync({ trusting = false }: { readonly trusting?: boolean } = {}): void {
    if (!trusting) this.#context.cache.reset();
    for (const key of this.#mirror.stores.allKeys()) this.#queue.add(key, 'resync');
  }

  /** Fulfilled when no document waits and none is worked on. */
  idle(): Promise<void> {
    return this.#queue.drain();
  }

  /** Finishes reconciles in progress, starts no more, and records their events while it may still write. */
  async drain(): Promise<void> {
    this.#takeBackResync?.();
    await this.#queue.shutDown({ discard: true });
    await this.#workers;
    await this.#recorder.stop(farewell);
  }

  /** Finishes the passes under way, starts no more, and ends all watches. */
  async stop(): Promise<void> {
    await this.drain();
    await this.#mirror.stop();
  }

  /** Why it could not take over now; undefined where it could. */
  unready(): string | undefined {
    return this.#mirror.gap();
  }

  /** Returns why the process should be restarted; undefined while it is healthy. */
  sick(): string | undefined {
    const now = this.#options.clock.now();
    for (const [key, since] of this.#underWay) if (now - since > hanging) return `the reconcile of ${key} hangs`;
    return undefined;
  }

  #planResync(): void {
    const { clock } = this.#options;
    this.#takeBackResync = clock.after(resyncInterval * (1 + clock.random() / 10), () => {
      this.resync();
      this.#planResync();
    });
  }

  async #work(key: WorkKey): Promise<void> {
    const { clock } = this.#options;
    const begun = clock.now();
    const heard = () => void this.#underWay.set(key, clock.now());
    heard();
    const document = documentOf(key);
    const writer = withWriteCallback(this.#context.writer, heard);
    let result: 'done' | 'refused' | 'failed' = 'failed';
    try {
      const { requeueAfter, retry } = await this.#reconcile(document, { ...this.#context, writer });
      result = retry ? 'refused' : 'done';
      if (requeueAfter !== undefined) this.#queue.addAfter(key, Math.max(1, requeueAfter));
      if (retry) throw new RefusedError('something was refused or conflicted');
    } finally {
      this.#underWay.delete(key);
      this.#metrics.passed(document.kind, result, (clock.now() - begun) / 1000);
    }
  }

  #reconcile(document: KeyedDocument, context: ReconcileContext): Promise<ReconcileResult> {
    return isWorkloadKind(document.kind)
      ? reconcileWorkload(document, context)
      : reconcilePlatform({ ...document, kind: document.kind }, context);
  }
}
