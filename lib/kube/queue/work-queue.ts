import { type Clock, exponentialDelay } from '../../process';
import { DelayedKeys } from './delayed-keys';
import { PriorityKeyQueue, type KeyPriority } from './priority-key-queue';
import { type QueueMeter } from './queue-metrics';

/** Result of successful work on a key. */
export interface WorkResult {
  /** Milliseconds after which the key is due again. @default - when it is added again */
  readonly after?: number;
}

/** Options of a work queue. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** First delay of a failed key in milliseconds; each further failure doubles it. @default 5 */
  readonly retryBase?: number;
  /** Maximum delay of a failed key, in milliseconds. @default 1000000 */
  readonly retryCap?: number;
  readonly meter?: QueueMeter;
}

/** Milliseconds of work after which workers yield to timers, responses and the lease. */
const timeSlice = 10;

/**
 * Queue of distinct keys in order of arrival, with at most one worker per key at a time.
 * Names and defaults are those of client-go's rate limiting work queue. A key that is done and forgotten uses no memory.
 */
export class WorkQueue {
  private readonly ready = new PriorityKeyQueue();
  /** Keys that wait for a worker, or for the end of the work on them. */
  private readonly dirty = new Map<string, KeyPriority>();
  private readonly processing = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly delayed: DelayedKeys;
  private readonly idleWorkers: ((key: string | undefined) => void)[] = [];
  private readonly drainWaiters: (() => void)[] = [];
  private closed = false;
  private yieldedAt: number;

  constructor(private readonly options: WorkQueueOptions) {
    this.delayed = new DelayedKeys(options.clock, (key) => this.add(key));
    this.yieldedAt = options.clock.now();
  }

  /** Number of keys that wait for a worker. */
  get length(): number {
    return this.ready.size;
  }

  /** Marks a key as due. A waiting key keeps its position unless its priority rises. */
  add(key: string, priority: KeyPriority = 'fresh'): void {
    if (this.closed) return;
    const present = this.dirty.get(key);
    if (present === 'fresh' || present === priority) return;
    this.dirty.set(key, priority);
    if (present === undefined) this.options.meter?.recordAdd(key);
    if (this.processing.has(key)) return; // due again when its worker is done
    if (present) this.ready.delete(key, present);
    this.ready.push(key, priority);
    this.dispatch();
  }

  /** Marks a key as due after a number of milliseconds; the earliest of several wins. */
  addAfter(key: string, milliseconds: number): void {
    if (this.closed) return;
    if (milliseconds > 0) this.delayed.put(key, milliseconds);
    else this.add(key);
  }

  /** Marks a key as due after a delay that doubles with each call until the key is forgotten. */
  addRateLimited(key: string): void {
    if (this.closed) return;
    const { retryBase = 5, retryCap = 1_000_000, meter } = this.options;
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    meter?.recordRetry();
    this.addAfter(key, exponentialDelay(failures, { start: retryBase, cap: retryCap }));
  }

  /** Resets the back-off of a key. */
  forget(key: string): void {
    this.failures.delete(key);
  }

  /** Returns how often `addRateLimited` added a key since it was last forgotten. */
  numRequeues(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  /** Returns the next key, which `done` must release; undefined when the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    const key = this.take();
    if (key !== undefined) return Promise.resolve(key);
    if (this.closed) return Promise.resolve(undefined);
    return new Promise((resolve) => this.idleWorkers.push(resolve));
  }

  /** Releases a key; if it became due meanwhile, it waits for a worker again. */
  done(key: string): void {
    if (!this.processing.delete(key)) return;
    this.options.meter?.recordFinish(key);
    const priority = this.dirty.get(key);
    if (priority) {
      this.ready.push(key, priority);
      this.dispatch();
    }
    this.resolveIfIdle();
  }

  /**
   * Runs workers until the queue is shut down and empty. A key whose work fails is reported to `onError` and added again
   * after its back-off; after success it is forgotten.
   */
  async run(
    workers: number,
    work: (key: string) => Promise<WorkResult | undefined> | Promise<void>,
    onError: (error: unknown, key: string) => void,
  ): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let key = await this.get(); key !== undefined; key = await this.get()) {
        try {
          const result = await work(key);
          this.forget(key);
          if (result?.after !== undefined) this.addAfter(key, result.after);
        } catch (error) {
          this.addRateLimited(key);
          onError(error, key);
        } finally {
          this.done(key);
        }
        await this.yieldIfDue();
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** Resolves when no key waits for a worker and no work is in progress; delayed keys do not count. */
  drain(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.drainWaiters.push(resolve));
  }

  /**
   * Accepts no more keys, drops delayed ones, and ends the workers once the waiting keys are done; `discard` drops those too.
   * Resolves when no work is in progress.
   */
  async shutDown({ discard = false }: { readonly discard?: boolean } = {}): Promise<void> {
    this.closed = true;
    this.delayed.clear();
    this.failures.clear();
    if (discard) this.discard();
    this.releaseWorkers();
    await this.drain();
    this.options.meter?.close();
  }

  /** Yields to the event loop: work without I/O on ten thousand keys would otherwise block the process. */
  private async yieldIfDue(): Promise<void> {
    const { clock } = this.options;
    if (clock.now() - this.yieldedAt < timeSlice) return;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.yieldedAt = clock.now();
  }

  private discard(): void {
    this.ready.clear();
    for (const key of this.dirty.keys()) this.options.meter?.recordDrop(key);
    this.dirty.clear();
    this.resolveIfIdle();
  }

  private isIdle(): boolean {
    return this.length === 0 && this.processing.size === 0;
  }

  private resolveIfIdle(): void {
    if (!this.isIdle()) return;
    for (const resolve of this.drainWaiters.splice(0)) resolve();
  }

  /** Ends idle workers once the queue is closed: a key that becomes due again is taken by the worker that releases it. */
  private releaseWorkers(): void {
    for (const resolve of this.idleWorkers.splice(0)) resolve(undefined);
  }

  private take(): string | undefined {
    const key = this.ready.shift();
    if (key === undefined) return undefined;
    this.dirty.delete(key);
    this.processing.add(key);
    this.options.meter?.recordStart(key);
    return key;
  }

  private dispatch(): void {
    while (this.idleWorkers.length > 0) {
      const key = this.take();
      if (key === undefined) return;
      this.idleWorkers.shift()?.(key);
    }
  }
}
