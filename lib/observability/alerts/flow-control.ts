import { type AlertGroup } from './alert';
import { jobs, quantileBy, rateBy } from '../promql';
import { apiServerMetricStep, auditStep } from './diagnosis-steps';

const levels = {
  check: 'which priority levels are full, and which queue requests',
  command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels',
};
const queuedRequests = {
  check: 'which requests are queued, and their users',
  command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_requests',
};
const clients = auditStep('which clients send which requests, and how many');
const webhookConfigurations = {
  check: 'its webhook configuration, including failurePolicy and timeoutSeconds',
  command: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml',
};
const webhookEndpoints = { check: 'whether its Service has ready endpoints', command: 'kubectl get endpointslices -A' };
const webhookMetrics = apiServerMetricStep('the webhook metrics of the API server', 'apiserver_admission_webhook');

/** Alerts on admission to the API server: flow control and webhooks. */
export const flowControlAlerts: AlertGroup = {
  name: 'kube-apiserver-admission',
  alerts: [
    {
      name: 'KubeAPIInflightNearLimit',
      owner: 'platform',
      summary: 'An API server is close to its concurrency limit.',
      description: '{{ $value | humanizePercentage }} of the seats of {{ $labels.instance }} are in use.',
      impact: 'When all seats are in use, requests are queued and then rejected with 429.',
      diagnosis: [levels, queuedRequests, clients],
      mitigation:
        'Throttle or roll back a client that was added recently. Slow requests hold their seats longer: check etcd and webhooks. More seats need more memory; `pinion capacity plan FILE` computes both.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'instance:apiserver_flowcontrol_seats:ratio > 0.8',
        },
      ],
    },
    {
      name: 'KubeAPIRequestsRejected',
      owner: 'platform',
      summary: 'The API server is rejecting requests with 429.',
      description:
        '{{ $value | humanize }} requests/s of flow schema {{ $labels.flow_schema }} are rejected ({{ $labels.reason }}).',
      impact: 'Clients of this flow schema retry later, and controllers among them fall behind.',
      diagnosis: [levels, queuedRequests, clients],
      mitigation:
        'Rejections with `queue-full` or `time-out` are intended for a priority level that only one client uses. In `global-default` or `workload-low` they affect other clients: give the noisy client its own flow schema with a small priority level.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'flow_schema_priority_level_reason:apiserver_flowcontrol_rejected_requests_total:rate5m > 0.5',
        },
      ],
    },
    {
      name: 'KubeAPIRequestQueueingHigh',
      owner: 'platform',
      summary: 'Requests are queued for long before the API server executes them.',
      description:
        'The 99th percentile of the queueing time of priority level {{ $labels.priority_level }} is {{ $value | humanizeDuration }}.',
      impact:
        'The request latency of the API server excludes queueing, so clients see higher latencies than it reports.',
      diagnosis: [levels, queuedRequests, clients],
      mitigation: 'Follow the mitigation of KubeAPIInflightNearLimit.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, priority_level', 'apiserver_flowcontrol_request_wait_duration_seconds', `${jobs.apiServer},execute="true"`)} > 1`,
        },
      ],
    },
    {
      name: 'KubeWebhookLatencyHigh',
      owner: 'platform',
      summary: 'An admission webhook is slow.',
      description: 'The 99th percentile of calls to {{ $labels.name }} is {{ $value | humanizeDuration }}.',
      impact:
        'Every write that calls the webhook takes this much longer and holds its API Priority and Fairness seat in the meantime.',
      diagnosis: [webhookEndpoints, webhookConfigurations, webhookMetrics],
      mitigation:
        "Give the webhook more replicas or CPU, or narrow its rules. If it blocks recovery, get its owner's agreement and delete its configuration: `kubectl delete validatingwebhookconfiguration NAME`.",
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, name', 'apiserver_admission_webhook_admission_duration_seconds', jobs.apiServer)} > 1`,
        },
      ],
    },
    {
      name: 'KubeWebhookFailing',
      owner: 'platform',
      summary: 'Requests are rejected because an admission webhook is failing.',
      description: '{{ $value | humanize }} requests/s are rejected because {{ $labels.name }} fails.',
      impact: 'Resources that the webhook matches cannot be written. If it matches pods, no pod can start.',
      diagnosis: [webhookEndpoints, webhookConfigurations, webhookMetrics],
      mitigation:
        'Repair its pods or its certificate. If the webhook must admit its own pods, remove its configuration until they run.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: `${rateBy('cluster, name', 'apiserver_admission_webhook_rejection_count', `${jobs.apiServer},error_type=~"calling_webhook_error|apiserver_internal_error"`)} > 0`,
        },
      ],
    },
    {
      name: 'KubeWebhookFailingOpen',
      owner: 'platform',
      summary: 'Requests bypass an admission webhook that is failing.',
      description: '{{ $value | humanize }} requests/s bypass {{ $labels.name }}.',
      impact: 'Objects written in the meantime were neither validated nor changed by the webhook.',
      diagnosis: [webhookEndpoints, webhookConfigurations, webhookMetrics],
      mitigation:
        'Repair the webhook, then review the objects that were written while it failed; the audit log lists them.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `${rateBy('cluster, name', 'apiserver_admission_webhook_fail_open_count', jobs.apiServer)} > 0`,
        },
      ],
    },
  ],
};
