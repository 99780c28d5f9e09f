import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Upper bounds in seconds, as Kubernetes' component-base has them for its clients. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** What a client tells about its requests, under the names that client-go uses. */
export interface ClientMetrics {
  /** An attempt was answered (or broke: code `<error>`), some seconds after it was sent. */
  answered(request: { readonly verb: string; readonly host: string }, code: string, seconds: number): void;
  /** An attempt waited some seconds for the client's own rate. */
  waited(request: { readonly verb: string; readonly host: string }, seconds: number): void;
  /** An attempt was refused with this code and is made again. */
  retried(request: { readonly verb: string; readonly host: string }, code: string): void;
  /** Whether this process leads under this name. */
  leads(name: string, isLeader: boolean): void;
}

/** Metrics of clients in a registry; several clients may share one. */
export function clientMetrics(registry: Registry): ClientMetrics {
  const requests = counter(registry, 'rest_client_requests_total', {
    help: 'Number of HTTP requests, partitioned by status code, method, and host.',
    labelNames: ['code', 'method', 'host'],
  });
  const retries = counter(registry, 'rest_client_request_retries_total', {
    help: 'Number of request retries, partitioned by status code, verb, and host.',
    labelNames: ['code', 'verb', 'host'],
  });
  const durations = histogram(registry, 'rest_client_request_duration_seconds', {
    help: 'Request latency in seconds. Broken down by verb, and host.',
    labelNames: ['verb', 'host'],
  });
  const waits = histogram(registry, 'rest_client_rate_limiter_duration_seconds', {
    help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
    labelNames: ['verb', 'host'],
  });
  const leads = gauge(registry, 'leader_election_master_status', {
    help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
    labelNames: ['name'],
  });
  return {
    answered: ({ verb, host }, code, seconds) => {
      requests.inc({ code, method: verb, host });
      durations.observe({ verb, host }, seconds);
    },
    waited: (request, seconds) => waits.observe({ ...request }, seconds),
    retried: ({ verb, host }, code) => retries.inc({ code, verb, host }),
    leads: (name, isLeader) => leads.set({ name }, isLeader ? 1 : 0),
  };
}

interface Facts {
  readonly help: string;
  readonly labelNames: readonly string[];
}

// A registry takes each name once, and hands out what it has.
const counter = (registry: Registry, name: string, { help, labelNames }: Facts): Counter =>
  (registry.getSingleMetric(name) as Counter | undefined) ??
  new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
const gauge = (registry: Registry, name: string, { help, labelNames }: Facts): Gauge =>
  (registry.getSingleMetric(name) as Gauge | undefined) ??
  new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
const histogram = (registry: Registry, name: string, { help, labelNames }: Facts): Histogram =>
  (registry.getSingleMetric(name) as Histogram | undefined) ??
  new Histogram({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });
