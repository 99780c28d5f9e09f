import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Bound } from './turned-away';

const prefix = 'pinion_submission_';

/** What the entrance reports of itself. */
export class EntranceMetrics {
  readonly #requests: Counter<'operation' | 'status'>;
  readonly #durations: Histogram<'operation'>;
  readonly #refused: Counter<'limit'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    const named = (name: string, help: string) => ({ name: `${prefix}${name}`, help, registers });
    this.#requests = new Counter({
      ...named('requests_total', 'Requests by operation and status; 499 where the sender left first'),
      labelNames: ['operation', 'status'],
    });
    this.#durations = new Histogram({
      ...named('request_duration_seconds', 'How long requests took, streams apart'),
      labelNames: ['operation'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.#refused = new Counter({
      ...named('refused_total', 'Requests that were refused because a bound was reached'),
      labelNames: ['limit'],
    });
  }

  /** Reports what is under way whenever somebody asks. */
  watch(gate: { readonly underWay: number; readonly streams: number }): void {
    this.#gauge('requests_under_way', 'Requests under way, streams apart', () => gate.underWay);
    this.#gauge('streams', 'Streams that are open', () => gate.streams);
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  ended(operation: string, status: number): void {
    this.#requests.inc({ operation, status });
  }

  took(operation: string, milliseconds: number): void {
    this.#durations.observe({ operation }, milliseconds / 1000);
  }

  refused(bound: Bound): void {
    this.#refused.inc({ limit: bound });
  }
}
