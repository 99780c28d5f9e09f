import { type RuleCase } from './rule-case';
import { ends, grows, type Series, stays } from './series';

const job = 'pinion-gateway';
const [a, b] = [
  { job, instance: 'gateway-a' },
  { job, instance: 'gateway-b' },
];
const client = { ...a, project: 'shop', account: 'cart', user_agent: 'cart' };
const day = 86_400;
const gibibyte = 2 ** 30;

const ready = (labels: typeof a, value = 1): Series => stays('pinion_gateway_ready', labels, value);
const desired = (count: number): Series => stays('pinion_gateway_desired_replicas', a, count);
/** Expiry of a certificate after some days; promtool begins at the time 0. */
const expires = (certificate: string, days: number): Series =>
  stays('pinion_gateway_certificate_expiry_timestamp_seconds', { ...a, certificate }, days * day);
const rejected = (limit: string, perSecond: number): Series =>
  grows(
    'pinion_gateway_rejected_requests_total',
    { ...client, level: 'workloads', scope: 'project', limit },
    perSecond,
  );
const memory = (used: number): Series[] => [
  stays('process_resident_memory_bytes', a, used * gibibyte),
  stays('pinion_gateway_memory_limit_bytes', a, 2 * gibibyte),
];

/** Cases of the group pinion-gateway. */
export const gatewayCases: readonly RuleCase[] = [
  {
    alert: 'PinionGatewayDown',
    severity: 'critical',
    at: 20,
    fires: [ready(a, 0), ends('pinion_gateway_ready', b, 1, 10)],
    quiet: [ready(a, 0), ready(b)],
  },
  {
    alert: 'PinionGatewayReplicasLow',
    severity: 'warning',
    at: 30,
    // The second one has no series: its pod is pending.
    fires: [desired(2), ready(a)],
    quiet: [desired(1), ready(a)],
  },
  {
    alert: 'PinionGatewayCacheStale',
    severity: 'warning',
    at: 5,
    fires: [stays('pinion_gateway_cache_age_seconds', { ...a, resource: 'pods' }, 120)],
    // A resource that does not change is read again after 70 seconds.
    quiet: [stays('pinion_gateway_cache_age_seconds', { ...a, resource: 'pods' }, 71)],
  },
  {
    alert: 'PinionGatewayWatchFailures',
    severity: 'warning',
    at: 25,
    fires: [grows('pinion_gateway_watch_failures_total', { ...a, resource: 'pods' }, 1 / 60)],
    quiet: [grows('pinion_gateway_watch_failures_total', { ...a, resource: 'pods' }, 1 / 600)],
  },
  {
    alert: 'PinionGatewayCertificateExpiring',
    severity: 'warning',
    at: 20,
    fires: [expires('serving', 20), expires('authority', 3_000)],
    quiet: [expires('serving', 30), expires('authority', 3_000)],
  },
  {
    alert: 'PinionGatewayCertificateExpiring',
    severity: 'critical',
    at: 20,
    fires: [expires('serving', 30), expires('authority', 2)],
    quiet: [expires('serving', 30), expires('authority', 4)],
  },
  {
    alert: 'PinionGatewayCertificateUntrusted',
    severity: 'critical',
    at: 10,
    fires: [stays('pinion_gateway_certificate_trusted', a, 0)],
    quiet: [stays('pinion_gateway_certificate_trusted', a, 1)],
  },
  {
    alert: 'PinionGatewaySeatsExhausted',
    severity: 'warning',
    at: 15,
    fires: [rejected('seats', 0.1)],
    quiet: [rejected('requestsPerSecond', 10)],
  },
  {
    alert: 'PinionGatewayBudgetExceeded',
    severity: 'info',
    at: 30,
    fires: [rejected('requestsPerSecond', 1)],
    quiet: [rejected('requestsPerSecond', 0.01), rejected('seats', 10)],
  },
  {
    alert: 'PinionGatewayAuthorizationFallback',
    severity: 'info',
    at: 30,
    fires: [grows('pinion_gateway_unauthorized_reads_total', { ...client, resource: 'pods', verb: 'list' }, 2)],
    quiet: [grows('pinion_gateway_unauthorized_reads_total', { ...client, resource: 'pods', verb: 'list' }, 0.1)],
  },
  { alert: 'PinionGatewayMemoryNearLimit', severity: 'warning', at: 20, fires: memory(1.8), quiet: memory(1.5) },
];
