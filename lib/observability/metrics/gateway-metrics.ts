import { type Metric } from './metric';
import { componentMetrics } from './component-metrics';

const client = ['project', 'account', 'user_agent'] as const;
const request = [...client, 'resource', 'verb', 'served_from'] as const;
const firstRequest = { appearsWhen: 'the first request' };

/** Metrics of the gateway to the API server. */
export const gatewayMetrics: readonly Metric[] = componentMetrics('pinion-gateway', [
  ['pinion_gateway_ready', 'gauge', [], 'whether the gateway is ready'],
  [
    'pinion_gateway_desired_replicas',
    'gauge',
    [],
    'number of gateways that the Platform states',
    { appearsWhen: 'the Platform has a gateway' },
  ],
  [
    'pinion_gateway_certificate_expiry_timestamp_seconds',
    'gauge',
    ['certificate'],
    'time at which the serving certificate, and the authority that issued it, expire',
  ],
  [
    'pinion_gateway_certificate_trusted',
    'gauge',
    [],
    'whether an authority of the Platform issued the serving certificate',
    { appearsWhen: 'the Platform has a gateway' },
  ],
  [
    'pinion_gateway_memory_limit_bytes',
    'gauge',
    [],
    'memory limit of the container',
    { appearsWhen: 'the container has a limit' },
  ],
  ['process_resident_memory_bytes', 'gauge', [], 'resident memory of the process'],
  [
    'pinion_gateway_requests_total',
    'counter',
    [...request, 'code'],
    'finished requests of clients, by who answers them',
    firstRequest,
  ],
  ['pinion_gateway_response_bytes_total', 'counter', request, 'bytes sent to clients', firstRequest],
  [
    'pinion_gateway_request_duration_seconds',
    'histogram',
    ['resource', 'verb', 'served_from'],
    'duration of requests, without watches and upgrades',
    firstRequest,
  ],
  [
    'pinion_gateway_open_watches',
    'gauge',
    [...client, 'resource', 'served_from'],
    'open watches of clients',
    { appearsWhen: 'the first watch' },
  ],
  [
    'pinion_gateway_uncached_reads_total',
    'counter',
    ['resource', 'reason'],
    'reads of cached resources that the cache does not answer',
    { appearsWhen: 'the first such read' },
  ],
  [
    'pinion_gateway_unauthorized_reads_total',
    'counter',
    [...client, 'resource', 'verb'],
    'reads of cached resources that no role allows',
    { appearsWhen: 'the first such read' },
  ],
  [
    'pinion_gateway_rejected_requests_total',
    'counter',
    [...client, 'level', 'scope', 'limit'],
    'reads rejected with 429',
    { appearsWhen: 'a read exceeds a budget' },
  ],
  ['pinion_gateway_token_reviews_total', 'counter', ['result'], 'authentications', firstRequest],
  ['pinion_gateway_cache_age_seconds', 'gauge', ['resource'], 'time since the last event or bookmark'],
  ['pinion_gateway_cache_bytes', 'gauge', ['resource'], 'JSON of the objects in the cache'],
  ['pinion_gateway_watch_log_bytes', 'gauge', ['resource'], 'JSON of recent events'],
  ['pinion_gateway_watch_failures_total', 'counter', ['resource'], 'watches of the API server that failed'],
  ['pinion_gateway_seats_in_use', 'gauge', ['level'], 'seats of reads that caches answer now'],
  ['pinion_gateway_waiting_requests', 'gauge', ['level'], 'reads that wait for seats'],
]);
