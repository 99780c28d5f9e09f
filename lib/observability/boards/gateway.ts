import { jobs, quantileBy, rateBy } from '../promql';
import { type Board, panel, stat } from './board';

const job = jobs.gateway;
const client = 'project, account, user_agent';

/** Dashboard of the gateway to the API server. */
export const gatewayBoard: Board = {
  name: 'pinion-gateway',
  title: 'Pinion: gateway to the API server',
  description: 'Whether gateways are ready, who answers reads, how old the caches are, and which clients are limited.',
  rows: [
    {
      title: 'State',
      panels: [
        stat(
          'Gateways ready',
          'Of those that the Platform states.',
          `sum by (cluster) (pinion_gateway_ready{${job}})`,
          '{{cluster}}',
        ),
        stat(
          'Missing gateways',
          'Gateways that the Platform states and that are not ready.',
          `max by (cluster) (pinion_gateway_desired_replicas{${job}}) - sum by (cluster) (pinion_gateway_ready{${job}})`,
          '{{cluster}}',
          { threshold: 1 },
        ),
        stat(
          'Certificates expire in',
          'The serving certificate, and the authority that issued it.',
          `min by (certificate) (pinion_gateway_certificate_expiry_timestamp_seconds{${job}}) - time()`,
          '{{certificate}}',
          { unit: 's' },
        ),
        stat(
          'Untrusted certificates',
          'Gateways whose certificate no authority of the Platform issued.',
          `count by (cluster) (pinion_gateway_certificate_trusted{${job}} == 0)`,
          '{{cluster}}',
          { threshold: 1 },
        ),
      ],
    },
    {
      title: 'Reads',
      panels: [
        panel(
          'Requests by who answers them',
          'A cache, a read that clients share, the API server, or none if rejected.',
          rateBy('served_from', 'pinion_gateway_requests_total', job),
          '{{served_from}}',
          { unit: 'reqps' },
        ),
        panel(
          'Requests by client',
          'The ten most frequent.',
          `topk(10, ${rateBy(client, 'pinion_gateway_requests_total', job)})`,
          '{{project}} {{account}} {{user_agent}}',
          { unit: 'reqps' },
        ),
        panel(
          'Bytes by client',
          'The ten largest, open watches included.',
          `topk(10, ${rateBy(client, 'pinion_gateway_response_bytes_total', job)})`,
          '{{project}} {{account}} {{user_agent}}',
          { unit: 'Bps' },
        ),
        panel(
          'Reads that caches do not answer',
          'By resource and reason.',
          `topk(10, ${rateBy('resource, reason', 'pinion_gateway_uncached_reads_total', job)})`,
          '{{resource}} {{reason}}',
          { unit: 'reqps' },
        ),
        panel(
          'Duration',
          '99th percentile, without watches.',
          quantileBy(0.99, 'served_from, verb', 'pinion_gateway_request_duration_seconds', job),
          '{{served_from}} {{verb}}',
          { unit: 's' },
        ),
        panel(
          'Open watches',
          'By project, the ten with the most.',
          `topk(10, sum by (project) (pinion_gateway_open_watches{${job}}))`,
          '{{project}}',
        ),
      ],
    },
    {
      title: 'Caches',
      panels: [
        panel(
          'Age',
          'Since the last event or bookmark; beyond 90 seconds, a cache does not answer.',
          `max by (resource) (pinion_gateway_cache_age_seconds{${job}})`,
          '{{resource}}',
          { unit: 's', threshold: 90 },
        ),
        panel(
          'Failed watches',
          'In 15 minutes.',
          `sum by (resource) (increase(pinion_gateway_watch_failures_total{${job}}[15m]))`,
          '{{resource}}',
          { threshold: 10 },
        ),
        panel(
          'Objects and recent events',
          'Size of their JSON, the ten largest resources of a gateway.',
          `topk(10, max by (resource) (pinion_gateway_cache_bytes{${job}} + pinion_gateway_watch_log_bytes{${job}}))`,
          '{{resource}}',
          { unit: 'bytes' },
        ),
        panel(
          'Memory relative to the limit',
          'Beyond it, a gateway is killed.',
          `max by (instance) (process_resident_memory_bytes{${job}}) / max by (instance) (pinion_gateway_memory_limit_bytes{${job}})`,
          '{{instance}}',
          { unit: 'percentunit', threshold: 0.85 },
        ),
      ],
    },
    {
      title: 'Limits',
      panels: [
        panel(
          'Rejected reads',
          'Status 429, by level, scope and limit.',
          rateBy('level, scope, limit', 'pinion_gateway_rejected_requests_total', job),
          '{{level}} {{scope}} {{limit}}',
          { unit: 'reqps' },
        ),
        panel('Seats in use', 'By level.', `sum by (level) (pinion_gateway_seats_in_use{${job}})`, '{{level}}'),
        panel(
          'Waiting reads',
          'For seats of their level.',
          `sum by (level) (pinion_gateway_waiting_requests{${job}})`,
          '{{level}}',
        ),
        panel(
          'Reads that no role allows',
          'The API server decides about them; the ten clients with the most.',
          `topk(10, ${rateBy(client, 'pinion_gateway_unauthorized_reads_total', job)})`,
          '{{project}} {{account}} {{user_agent}}',
          { unit: 'reqps' },
        ),
        panel(
          'Authentications',
          'By outcome.',
          rateBy('result', 'pinion_gateway_token_reviews_total', job),
          '{{result}}',
          { unit: 'reqps' },
        ),
      ],
    },
  ],
};
