import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Clock, type QueueMeter, QueueMetrics } from '../kube';

/** Result of a reconcile in the metrics, as in controller-runtime. */
export type ReconcileLabel = 'success' | 'requeue' | 'requeue_after' | 'error' | 'terminal_error';

const labelNames = ['controller'] as const;

/** Metrics of all controllers of a process, named as in controller-runtime; one for each registry. */
export class ControllerMetrics {
  private readonly queues: QueueMetrics;
  private readonly reconciles: Counter<'controller' | 'result'>;
  private readonly errors: Counter<'controller'>;
  private readonly seconds: Histogram<'controller'>;
  private readonly active: Gauge<'controller'>;
  private readonly maximum: Gauge<'controller'>;

  constructor(registry: Registry, clock: Clock) {
    const registers = [registry];
    this.queues = new QueueMetrics(registry, clock);
    this.reconciles = new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller.',
      labelNames: ['controller', 'result'],
      registers,
    });
    this.errors = new Counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Total number of reconciliation errors per controller.',
      labelNames,
      registers,
    });
    this.seconds = new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller.',
      labelNames,
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    });
    this.active = new Gauge({
      name: 'controller_runtime_active_workers',
      help: 'Number of currently used workers per controller.',
      labelNames,
      registers,
    });
    this.maximum = new Gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Maximum number of concurrent reconciles per controller.',
      labelNames,
      registers,
    });
  }

  /** Returns the metrics of the work queue of a controller. */
  queueMeter(controller: string): QueueMeter {
    return this.queues.meter(controller);
  }

  /** Sets the maximum number of concurrent reconciles of a controller. */
  setMaxConcurrentReconciles(controller: string, workers: number): void {
    this.maximum.set({ controller }, workers);
  }

  /** Records the start of a reconcile. */
  recordStart(controller: string): void {
    this.active.inc({ controller });
  }

  /** Records the end of a reconcile, and its duration in seconds. */
  recordEnd(controller: string, result: ReconcileLabel, seconds: number): void {
    this.active.dec({ controller });
    this.reconciles.inc({ controller, result });
    if (result === 'error' || result === 'terminal_error') this.errors.inc({ controller });
    this.seconds.observe({ controller }, seconds);
  }
}
