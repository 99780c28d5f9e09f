import { jobs } from '../promql';
import { type Alert } from './alert';
import { gatewayClientsStep, gatewayLogStep, gatewayMetricStep } from './gateway-steps';

const job = jobs.gateway;
const client = 'cluster, project, account';
const perClient = (metric: string, matchers = ''): string =>
  `sum by (${client}) (rate(${metric}{${job}${matchers}}[5m]))`;
const settings = {
  check: 'the requests and limits of its pods, and what it caches',
  command: 'kubectl -n pinion-gateway get deployment pinion-gateway -o yaml',
};

/** Alerts on what a gateway can take: seats, budgets, memory, and reads that it cannot authorize itself. */
export const gatewayCapacityAlerts: readonly Alert[] = [
  {
    name: 'PinionGatewaySeatsExhausted',
    owner: 'platform',
    summary: 'A gateway rejects reads because a level has no seats.',
    description: '{{ $value | humanize }} reads of the level {{ $labels.level }} are rejected per second.',
    impact:
      'All clients of the level wait for up to 15 seconds, and some get 429. Writes and other levels are not affected.',
    diagnosis: [
      gatewayMetricStep('whether all seats of the level are in use', 'pinion_gateway_seats_in_use'),
      gatewayClientsStep('which clients send the most, and which practices they violate'),
      gatewayMetricStep('the CPU time of the process', 'process_cpu_seconds_total'),
    ],
    mitigation:
      'If the CPU of the gateways is saturated, raise `spec.gateway.replicas` of the Platform. Otherwise lower the budget of the Project that sends the most (`spec.apiBudget`).',
    conditions: [
      {
        severity: 'warning',
        for: '5m',
        expr: `sum by (cluster, level) (rate(pinion_gateway_rejected_requests_total{${job},limit="seats"}[5m])) > 0`,
      },
    ],
  },
  {
    name: 'PinionGatewayBudgetExceeded',
    owner: 'application',
    summary: 'A client exceeds its API budget.',
    description:
      '{{ $value | humanize }} reads of {{ $labels.account }} of project {{ $labels.project }} are rejected per second.',
    impact: 'Its reads are delayed. If the project is over its budget, so are those of its other service accounts.',
    diagnosis: [
      gatewayMetricStep('by which limit its reads are rejected', 'pinion_gateway_rejected_requests_total'),
      gatewayClientsStep('what it reads, and which practices it violates'),
      { check: 'the budget of its Project', command: 'kubectl get project PROJECT -o yaml' },
    ],
    mitigation:
      'Have the client watch instead of polling. If it needs more, raise the field of the Project that the message of its 429 names.',
    conditions: [
      {
        severity: 'info',
        for: '15m',
        expr: `${perClient('pinion_gateway_rejected_requests_total', ',limit!="seats"')} > 0.1`,
      },
    ],
  },
  {
    name: 'PinionGatewayAuthorizationFallback',
    owner: 'platform',
    summary: 'Reads pass the caches of a gateway because no role allows them.',
    description:
      '{{ $value | humanize }} reads of {{ $labels.account }} of project {{ $labels.project }} that no role allows are passed on per second.',
    impact:
      'The API server decides on each of them: it refuses them, or another authorizer than RBAC allows them. The cache saves nothing.',
    diagnosis: [
      gatewayMetricStep('what the client reads', 'pinion_gateway_unauthorized_reads_total'),
      {
        check: 'what the service account may do',
        command: 'kubectl auth can-i --list --as system:serviceaccount:PROJECT:ACCOUNT -n PROJECT',
      },
      gatewayMetricStep('whether watches of roles and bindings fail', 'pinion_gateway_watch_failures_total'),
    ],
    mitigation:
      'Give the client a role for what it reads, or stop it from asking for more. If an authorizer other than RBAC allows the reads, the gateway serves them from its caches only with a role.',
    conditions: [{ severity: 'info', for: '15m', expr: `${perClient('pinion_gateway_unauthorized_reads_total')} > 1` }],
  },
  {
    name: 'PinionGatewayMemoryNearLimit',
    owner: 'platform',
    summary: 'A gateway is close to its memory limit.',
    description: 'Gateway {{ $labels.instance }} uses {{ $value | humanizePercentage }} of its memory limit.',
    impact:
      'Beyond the limit it is killed, and its clients resume at the others, which have the same caches and more load.',
    diagnosis: [
      gatewayMetricStep('the size of each cache and its recent events', 'pinion_gateway_.*_bytes'),
      settings,
      gatewayLogStep,
    ],
    mitigation:
      'Remove what clients do not need from `spec.gateway.resources` of the Platform, or raise the memory of the Deployment (docs/gateway.md, "Sizing").',
    conditions: [
      {
        severity: 'warning',
        for: '15m',
        expr: `max by (cluster, instance) (process_resident_memory_bytes{${job}}) / max by (cluster, instance) (pinion_gateway_memory_limit_bytes{${job}}) > 0.85`,
      },
    ],
  },
];
