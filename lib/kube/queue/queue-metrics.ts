import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Clock } from '../../process';

/** Metrics of one work queue. */
export interface QueueMeter {
  /** Records a key that became due. */
  recordAdd(key: string): void;
  /** Records the start of work on a key. */
  recordStart(key: string): void;
  /** Records the end of work on a key. */
  recordFinish(key: string): void;
  /** Records a key that was dropped before a worker took it. */
  recordDrop(key: string): void;
  /** Records a key that was added after a failure. */
  recordRetry(): void;
  /** Removes the metrics of the queue. */
  close(): void;
}

/** From 10 ns to 10 s, as in client-go. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];
const labelNames = ['name'] as const;

interface Times {
  readonly due: Map<string, number>;
  readonly started: Map<string, number>;
}

/** Metrics of all work queues of a process, named as in client-go. */
export class QueueMetrics {
  private readonly queues = new Map<string, Times>();
  private readonly adds: Counter<'name'>;
  private readonly retries: Counter<'name'>;
  private readonly waitTime: Histogram<'name'>;
  private readonly workTime: Histogram<'name'>;

  constructor(
    registry: Registry,
    private readonly clock: Clock,
  ) {
    const registers = [registry];
    this.adds = new Counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labelNames,
      registers,
    });
    this.retries = new Counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      labelNames,
      registers,
    });
    const histogram = (name: string, help: string): Histogram<'name'> =>
      new Histogram({ name, help, labelNames, buckets, registers });
    this.waitTime = histogram(
      'workqueue_queue_duration_seconds',
      'How long in seconds an item stays in workqueue before being requested.',
    );
    this.workTime = histogram(
      'workqueue_work_duration_seconds',
      'How long in seconds processing an item from workqueue takes.',
    );
    this.gauge(registry, 'workqueue_depth', 'Current depth of workqueue', ({ due }) => due.size);
    this.gauge(
      registry,
      'workqueue_unfinished_work_seconds',
      'How many seconds of work is in progress and not yet observed by work_duration.',
      (times) => this.ages(times).reduce((sum, age) => sum + age, 0),
    );
    this.gauge(
      registry,
      'workqueue_longest_running_processor_seconds',
      'How many seconds the longest running processor for workqueue has been running.',
      (times) => this.ages(times).reduce((longest, age) => Math.max(longest, age), 0),
    );
  }

  /** Returns the metrics of one queue. */
  meter(name: string): QueueMeter {
    const labels = { name };
    const times: Times = { due: new Map(), started: new Map() };
    this.queues.set(name, times);
    const seconds = (since: number | undefined): number => (this.clock.now() - (since ?? this.clock.now())) / 1000;
    return {
      recordAdd: (key) => {
        this.adds.inc(labels);
        times.due.set(key, this.clock.now());
      },
      recordStart: (key) => {
        this.waitTime.observe(labels, seconds(times.due.get(key)));
        times.due.delete(key);
        times.started.set(key, this.clock.now());
      },
      recordFinish: (key) => {
        this.workTime.observe(labels, seconds(times.started.get(key)));
        times.started.delete(key);
      },
      recordDrop: (key) => times.due.delete(key),
      recordRetry: () => this.retries.inc(labels),
      close: () => this.queues.delete(name),
    };
  }

  private ages({ started }: Times): number[] {
    return Array.from(started.values(), (since) => (this.clock.now() - since) / 1000);
  }

  /** Registers a gauge that is read from the queues at each scrape. */
  private gauge(registry: Registry, name: string, help: string, read: (times: Times) => number): void {
    const { queues } = this;
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [queue, times] of queues) this.set({ name: queue }, read(times));
      },
    });
  }
}
