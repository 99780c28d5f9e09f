import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Histogram buckets in seconds, as in Kubernetes' component-base. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Request metrics of a client, named as in client-go. */
export interface ClientMetrics {
  /** Records a response and its latency; code `<error>` for a broken connection. */
  recordResponse(request: { readonly verb: string; readonly host: string }, code: string, seconds: number): void;
  /** Records the wait for the client's rate limiter. */
  recordRateLimit(request: { readonly verb: string; readonly host: string }, seconds: number): void;
  /** Records a retry after a response with this code. */
  recordRetry(request: { readonly verb: string; readonly host: string }, code: string): void;
  /** Records whether this process holds the named lease. */
  recordLeadership(name: string, isLeader: boolean): void;
}

/** Registers client metrics; several clients may share a registry. */
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
    help: 'Whether the process holds the lease: 1 for the leader, 0 for a standby.',
    labelNames: ['name'],
  });
  return {
    recordResponse: ({ verb, host }, code, seconds) => {
      requests.inc({ code, method: verb, host });
      durations.observe({ verb, host }, seconds);
    },
    recordRateLimit: (request, seconds) => waits.observe({ ...request }, seconds),
    recordRetry: ({ verb, host }, code) => retries.inc({ code, verb, host }),
    recordLeadership: (name, isLeader) => leads.set({ name }, isLeader ? 1 : 0),
  };
}

interface MetricOptions {
  readonly help: string;
  readonly labelNames: readonly string[];
}

// A registry rejects a name that it has, so a second client reuses its metric.
const counter = (registry: Registry, name: string, { help, labelNames }: MetricOptions): Counter =>
  (registry.getSingleMetric(name) as Counter | undefined) ??
  new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
const gauge = (registry: Registry, name: string, { help, labelNames }: MetricOptions): Gauge =>
  (registry.getSingleMetric(name) as Gauge | undefined) ??
  new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
const histogram = (registry: Registry, name: string, { help, labelNames }: MetricOptions): Histogram =>
  (registry.getSingleMetric(name) as Histogram | undefined) ??
  new Histogram({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });
