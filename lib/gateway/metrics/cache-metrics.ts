import { Gauge, type Registry } from 'prom-client';
import { type ObjectCache } from '../cache/object-cache';
import { type Clock } from '../../kube';

/** Registers metrics of the caches, which are read when they are collected. */
export function registerCacheMetrics(registry: Registry, caches: ReadonlyMap<string, ObjectCache>, clock: Clock): void {
  const gauge = (name: string, help: string, valueOf: (cache: ObjectCache) => number): void => {
    new Gauge({
      name: `pinion_gateway_${name}`,
      help,
      labelNames: ['resource'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [resource, cache] of caches) {
          const value = valueOf(cache);
          if (Number.isFinite(value)) this.set({ resource }, value);
        }
      },
    });
  };
  gauge(
    'cache_age_seconds',
    'Time since the last event or bookmark of the API server; absent before the first list.',
    (cache) => cache.ageAt(clock.now()) / 1_000,
  );
  gauge('cache_objects', 'Objects in the cache.', ({ size }) => size);
  gauge('cache_bytes', 'JSON of the objects in the cache.', ({ bytes }) => bytes);
  gauge('watch_log_events', 'Recent events from which watches resume.', ({ log }) => log.size);
  gauge('watch_log_bytes', 'JSON of the recent events from which watches resume.', ({ log }) => log.bytes);
}
