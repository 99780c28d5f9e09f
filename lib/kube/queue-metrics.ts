import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Clock } from './clock';

/** What one work queue reports of itself. */
export interface QueueMeter {
  /** A key became due. */
  added(key: string): void;
  /** A worker took it. */
  started(key: string): void;
  /** Its worker gave it back. */
  finished(key: string): void;
  /** It was dropped before a worker took it. */
  dropped(key: string): void;
  /** A key was added after a failure. */
  retried(): void;
  /** Removes what it reported. */
  close(): void;
}

/** From 10 ns to 10 s, as in client-go. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];
const labelNames = ['name'] as const;

interface Times {
  readonly due: Map<string, number>;
  readonly begun: Map<string, number>;
}

/** Metrics of all work queues of a process, under client-go's names. */
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
    this.adds = new Counter({ name: 'workqueue_adds_total', help: 'Keys that became due', labelNames, registers });
    this.retries = new Counter({
      name: 'workqueue_retries_total',
      help: 'Keys that were added after a failure',
      labelNames,
      registers,
    });
    const histogram = (name: string, help: string): Histogram<'name'> =>
      new Histogram({ name, help, labelNames, buckets, registers });
    this.waitTime = histogram('workqueue_queue_duration_seconds', 'How long a due key waited for a worker');
    this.workTime = histogram('workqueue_work_duration_seconds', 'How long a worker had a key');
    this.gauge(registry, 'workqueue_depth', 'Keys that are due and have no worker', ({ due }) => due.size);
    this.gauge(registry, 'workqueue_unfinished_work_seconds', 'How long all keys under work are worked on', (times) =>
      this.ages(times).reduce((sum, age) => sum + age, 0),
    );
    this.gauge(
      registry,
      'workqueue_longest_running_processor_seconds',
      'How long the oldest key under work is worked on',
      (times) => this.ages(times).reduce((longest, age) => Math.max(longest, age), 0),
    );
  }

  /** The meter of one queue. */
  meter(name: string): QueueMeter {
    const labels = { name };
    const times: Times = { due: new Map(), begun: new Map() };
    this.queues.set(name, times);
    const seconds = (since: number | undefined): number => (this.clock.now() - (since ?? this.clock.now())) / 1000;
    return {
      added: (key) => {
        this.adds.inc(labels);
        times.due.set(key, this.clock.now());
      },
      started: (key) => {
        this.waitTime.observe(labels, seconds(times.due.get(key)));
        times.due.delete(key);
        times.begun.set(key, this.clock.now());
      },
      finished: (key) => {
        this.workTime.observe(labels, seconds(times.begun.get(key)));
        times.begun.delete(key);
      },
      dropped: (key) => times.due.delete(key),
      retried: () => this.retries.inc(labels),
      close: () => this.queues.delete(name),
    };
  }

  private ages({ begun }: Times): number[] {
    return Array.from(begun.values(), (since) => (this.clock.now() - since) / 1000);
  }

  /** A gauge that is read from the queues when somebody asks. */
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
