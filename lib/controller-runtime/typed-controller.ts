import { type Clock, errorText, type Log, WorkQueue } from '../kube';
import { type ControllerMetrics } from './controller-metrics';
import { RecentKeys } from './recent-keys';
import { type ReconcileResult } from './reconcile-request';
import { type Runnable } from './runnable';
import { TerminalError } from './terminal-error';

/** Delays between attempts of a failed reconcile, in milliseconds; each failure doubles the delay. */
export interface RateLimiter {
  /** @default 5 */
  readonly baseDelay?: number;
  /** @default 1000000 */
  readonly maxDelay?: number;
}

/** Options of the workers of a controller. */
export interface WorkerOptions {
  /** @default 1 */
  readonly maxConcurrentReconciles?: number;
  /** @default - as in client-go */
  readonly rateLimiter?: RateLimiter;
  /**
   * Milliseconds between resyncs, plus up to 10% jitter. A resync reconciles everything again, at a lower priority than
   * changes. @default 36000000, ten hours
   */
  readonly syncPeriod?: number;
  /** Milliseconds without progress after which a reconcile counts as hung, and the process as unhealthy. @default 1800000 */
  readonly hungAfter?: number;
}

/** Options of a controller of any keys. */
export interface TypedControllerOptions extends WorkerOptions {
  /** Name in metrics and logs. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ControllerMetrics;
  /**
   * Brings what a key names to its desired state. `recordProgress` shows that a long reconcile does not hang. It is retried
   * with back-off if it rejects, unless with a `TerminalError`.
   */
  readonly reconcile: (key: string, recordProgress: () => void) => Promise<ReconcileResult | undefined>;
  /** Returns the keys of all objects, for the start and for resyncs. */
  readonly keys: () => Iterable<string>;
  /** Called before each resync. @default - none */
  readonly onResync?: () => void;
  /** Returns whether an error is part of normal operation, which is logged at level debug. @default - none is */
  readonly isExpected?: (error: unknown) => boolean;
}

/** Requeues a key with back-off. */
class RequeueError extends Error {
  override readonly name = 'RequeueError' as const;
}

/**
 * Controller of keys that name anything: a work queue, and workers that reconcile each key, never one key twice at a time.
 * `Controller` is the one for objects of one resource.
 */
export class TypedController implements Runnable {
  readonly #options: TypedControllerOptions;
  readonly #queue: WorkQueue;
  readonly #recent: RecentKeys;
  /** Time of the last progress of each reconcile in progress. */
  readonly #inProgress = new Map<string, number>();
  #workers: Promise<void> | undefined;
  #cancelResync: (() => void) | undefined;

  constructor(options: TypedControllerOptions) {
    const { name, clock, metrics, rateLimiter = {} } = options;
    const { baseDelay: retryBase, maxDelay: retryCap } = rateLimiter;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      meter: metrics.queueMeter(name),
      ...(retryBase !== undefined && { retryBase }),
      ...(retryCap !== undefined && { retryCap }),
    });
    this.#recent = new RecentKeys(() => clock.now());
  }

  /** Queues a key. While this process does not lead, it is only noted: keys of created and deleted objects would accumulate. */
  add(key: string): void {
    if (this.#workers) this.#queue.add(key);
    else this.#recent.add(key);
  }

  /** Queues a key after a number of milliseconds, if this process leads. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#workers) this.#queue.addAfter(key, milliseconds);
  }

  /** Starts to reconcile; later calls have no effect. */
  start(): void {
    const { name, metrics, maxConcurrentReconciles = 1 } = this.#options;
    if (this.#workers) return;
    metrics.setMaxConcurrentReconciles(name, maxConcurrentReconciles);
    this.#workers = this.#queue.run(
      maxConcurrentReconciles,
      (key) => this.#process(key),
      (error, key) => this.#report(error, key),
    );
    // Changes made while there was no leader are reconciled first; the previous leader handled the rest.
    const recent = new Set(this.#recent.take());
    for (const key of recent) this.#queue.add(key);
    for (const key of this.#options.keys()) if (!recent.has(key)) this.#queue.add(key, 'resync');
    this.#scheduleResync();
  }

  /** Queues every key at a lower priority than changed ones, after `onResync`. */
  resync(): void {
    this.#options.onResync?.();
    this.queueAll();
  }

  /** Queues every key at a lower priority than changed ones. */
  queueAll(): void {
    for (const key of this.#options.keys()) this.#queue.add(key, 'resync');
  }

  /** Resolves when the queue is empty and no reconcile is in progress. */
  idle(): Promise<void> {
    return this.#queue.drain();
  }

  /** Finishes reconciles in progress and starts no more. */
  async stop(): Promise<void> {
    this.#cancelResync?.();
    await this.#queue.shutDown({ discard: true });
    await this.#workers;
  }

  unhealthyReason(): string | undefined {
    const { clock, hungAfter = 30 * 60_000 } = this.#options;
    const now = clock.now();
    for (const [key, since] of this.#inProgress) if (now - since > hungAfter) return `the reconcile of ${key} hangs`;
    return undefined;
  }

  #scheduleResync(): void {
    const { clock, syncPeriod = 10 * 3_600_000 } = this.#options;
    this.#cancelResync = clock.after(syncPeriod * (1 + clock.random() / 10), () => {
      this.resync();
      this.#scheduleResync();
    });
  }

  async #process(key: string): Promise<void> {
    const { name, clock, log, metrics, reconcile } = this.#options;
    const startedAt = clock.now();
    const recordProgress = (): void => void this.#inProgress.set(key, clock.now());
    recordProgress();
    metrics.recordStart(name);
    let label: Parameters<ControllerMetrics['recordEnd']>[1] = 'error';
    try {
      const { requeueAfter, requeue = false } = (await reconcile(key, recordProgress)) ?? {};
      label = requeue ? 'requeue' : requeueAfter === undefined ? 'success' : 'requeue_after';
      if (requeueAfter !== undefined) this.#queue.addAfter(key, Math.max(1, requeueAfter));
      if (requeue) throw new RequeueError('requeued with back-off');
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      label = 'terminal_error';
      log.error('reconcile failed, and is not retried', { controller: name, key, error: errorText(error) });
    } finally {
      this.#inProgress.delete(key);
      metrics.recordEnd(name, label, (clock.now() - startedAt) / 1000);
    }
  }

  #report(error: unknown, key: string): void {
    const { name, log, isExpected } = this.#options;
    if (error instanceof RequeueError || isExpected?.(error)) log.debug(errorText(error), { controller: name, key });
    else log.warn('reconcile failed', { controller: name, key, error: errorText(error) });
  }
}
