import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type LimitName } from './http-rejection';

const prefix = 'pinion_submission_';

/** Metrics of the HTTP server. */
export class HttpMetrics {
  readonly #requests: Counter<'operation' | 'status'>;
  readonly #durations: Histogram<'operation'>;
  readonly #rejections: Counter<'limit'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    const metric = (name: string, help: string) => ({ name: `${prefix}${name}`, help, registers });
    this.#requests = new Counter({
      ...metric('requests_total', 'Requests by operation and status; 499 if the client disconnected first.'),
      labelNames: ['operation', 'status'],
    });
    this.#durations = new Histogram({
      ...metric('request_duration_seconds', 'Duration of requests, without streams.'),
      labelNames: ['operation'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.#rejections = new Counter({
      ...metric('refused_total', 'Requests rejected by a limit.'),
      labelNames: ['limit'],
    });
  }

  /** Collects gauges from the request guard. */
  registerGauges(guard: { readonly inFlight: number; readonly streams: number }): void {
    this.#gauge('requests_in_flight', 'Requests in flight, without streams.', () => guard.inFlight);
    this.#gauge('streams', 'Open streams.', () => guard.streams);
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

  countRequest(operation: string, status: number): void {
    this.#requests.inc({ operation, status });
  }

  observeDuration(operation: string, milliseconds: number): void {
    this.#durations.observe({ operation }, milliseconds / 1000);
  }

  countRejection(limit: LimitName): void {
    this.#rejections.inc({ limit });
  }
}
