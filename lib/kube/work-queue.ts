import { type Clock } from './clock';
import { DelayedKeys } from './delayed-keys';
import { Lanes, type Urgency } from './lanes';
import { type QueueMeter } from './queue-metrics';

/** What a worker wants after a pass that did not fail. */
export interface WorkResult {
  /** Milliseconds after which the key is due again. @default - only when it is added */
  readonly after?: number;
}

/** How a work queue behaves. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Milliseconds of the first delay of a key that failed; doubled with each failure. @default 5 */
  readonly retryBase?: number;
  /** Longest delay of a key that failed, in milliseconds. @default 1000000 */
  readonly retryCap?: number;
  readonly meter?: QueueMeter;
}

/** Milliseconds of work after which everything else has its turn: timers, answers, the lease. */
const slice = 10;

/**
 * Keys that have work, each at most once, and at most one worker at a time on each; first come, first served.
 * Names and numbers are those of client-go's rate limiting work queue. Of a key that is done and forgotten nothing is kept.
 */
export class WorkQueue {
  private readonly lanes = new Lanes();
  /** Keys that wait for a worker, or for the worker that has them: where they belong. */
  private readonly dirty = new Map<string, Urgency>();
  private readonly processing = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly delayed: DelayedKeys;
  private readonly takers: ((key: string | undefined) => void)[] = [];
  private readonly drained: (() => void)[] = [];
  private closed = false;
  private breathed: number;

  constructor(private readonly options: WorkQueueOptions) {
    this.delayed = new DelayedKeys(options.clock, (key) => this.add(key));
    this.breathed = options.clock.now();
  }

  /** Keys that wait for a worker. */
  get length(): number {
    return this.lanes.size;
  }

  /** Marks a key as due. One that waits already stays where it is, unless it becomes more urgent. */
  add(key: string, urgency: Urgency = 'fresh'): void {
    if (this.closed) return;
    const present = this.dirty.get(key);
    if (present === 'fresh' || present === urgency) return;
    this.dirty.set(key, urgency);
    if (present === undefined) this.options.meter?.added(key);
    if (this.processing.has(key)) return; // due again when its worker is done
    if (present) this.lanes.delete(key, present);
    this.lanes.push(key, urgency);
    this.hand();
  }

  /** Marks a key as due after some milliseconds; the soonest of several wins. */
  addAfter(key: string, milliseconds: number): void {
    if (this.closed) return;
    if (milliseconds > 0) this.delayed.put(key, milliseconds);
    else this.add(key);
  }

  /** Marks a key as due after a delay that doubles each time until it is forgotten. */
  addRateLimited(key: string): void {
    if (this.closed) return;
    const { retryBase = 5, retryCap = 1_000_000, meter } = this.options;
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    meter?.retried();
    this.addAfter(key, Math.min(retryCap, retryBase * 2 ** failures));
  }

  /** Ends the back-off of a key. */
  forget(key: string): void {
    this.failures.delete(key);
  }

  /** How often a key was added by `addRateLimited` since it was last forgotten. */
  requeues(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  /** The next key, to be given back by `done`; undefined when the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    const key = this.take();
    if (key !== undefined) return Promise.resolve(key);
    if (this.closed) return Promise.resolve(undefined);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  /** Gives a key back; if it became due meanwhile, it waits for a worker again. */
  done(key: string): void {
    if (!this.processing.delete(key)) return;
    this.options.meter?.finished(key);
    const urgency = this.dirty.get(key);
    if (urgency) {
      this.lanes.push(key, urgency);
      this.hand();
    }
    this.settle();
  }

  /**
   * Lets some workers take keys until the queue is shut down and empty. A key whose work fails is told to `onError` and
   * comes again after its back-off; one whose work does not is forgotten.
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
        await this.breathe();
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** Fulfilled when no key waits for a worker and none is worked on; delayed keys do not count. */
  drain(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.drained.push(resolve));
  }

  /**
   * Takes no more keys, drops those that are delayed, and lets go of waiting workers when the rest is worked off;
   * with `discard` those that wait are dropped too. Fulfilled when no key is worked on any more.
   */
  async shutDown({ discard = false }: { readonly discard?: boolean } = {}): Promise<void> {
    this.closed = true;
    this.delayed.clear();
    this.failures.clear();
    if (discard) this.discard();
    this.letGo();
    await this.drain();
    this.options.meter?.close();
  }

  /** Work that asks nobody anything goes on without a pause; ten thousand keys of it would hold up the whole process. */
  private async breathe(): Promise<void> {
    const { clock } = this.options;
    if (clock.now() - this.breathed < slice) return;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.breathed = clock.now();
  }

  private discard(): void {
    this.lanes.clear();
    for (const key of this.dirty.keys()) this.options.meter?.dropped(key);
    this.dirty.clear();
    this.settle();
  }

  private isIdle(): boolean {
    return this.length === 0 && this.processing.size === 0;
  }

  private settle(): void {
    if (!this.isIdle()) return;
    for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Workers that wait have nothing to wait for once the queue is closed: keys that come back are taken by those who gave them. */
  private letGo(): void {
    for (const resolve of this.takers.splice(0)) resolve(undefined);
  }

  private take(): string | undefined {
    const key = this.lanes.shift();
    if (key === undefined) return undefined;
    this.dirty.delete(key);
    this.processing.add(key);
    this.options.meter?.started(key);
    return key;
  }

  private hand(): void {
    while (this.takers.length > 0) {
      const key = this.take();
      if (key === undefined) return;
      this.takers.shift()?.(key);
    }
  }
}
