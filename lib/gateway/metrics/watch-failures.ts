import { Counter, type Registry } from 'prom-client';

/** Counts failed watches of the API server, of caches and of what decides who may read them. */
export class WatchFailures {
  readonly #failures;

  constructor(registry: Registry) {
    this.#failures = new Counter({
      name: 'pinion_gateway_watch_failures_total',
      help: 'Watches and lists of the API server that failed, or ended early; the gateway repeats them.',
      labelNames: ['resource'],
      registers: [registry],
    });
  }

  /** Exposes a resource from the start, so that its first failure is an increase. */
  addResource(resource: string): void {
    this.#failures.inc({ resource }, 0);
  }

  /** Counts a failure. */
  count(resource: string): void {
    this.#failures.inc({ resource });
  }
}
