import { type AlertGroup } from '../alert';
import { jobs, quantileBy, rateBy } from '../terms';

const levels = {
  look: 'which levels are full and which wait',
  command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels',
};
const waiting = {
  look: 'which requests wait, and whose they are',
  command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_requests',
};
const talkers = {
  look: 'who asks what, and how much of it',
  command: 'pinion load /var/log/kubernetes/apiserver/audit.log',
};
const webhookConfigurations = {
  look: 'which configuration it stands in, with its failurePolicy and timeout',
  command: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml',
};
const webhookPods = { look: 'whether pods stand behind its Service', command: 'kubectl get endpointslices -A' };
const webhookCause = {
  look: 'what the server says of the calls',
  command: 'kubectl get --raw /metrics | grep apiserver_admission_webhook',
};

/** Who may come in: seats of the API server, and webhooks. */
export const flowControlAlerts: AlertGroup = {
  name: 'kube-apiserver-admission',
  alerts: [
    {
      name: 'KubeAPIInflightNearLimit',
      owner: 'platform',
      summary: 'Almost all seats of an API server are taken.',
      description: '{{ $value | humanizePercentage }} of the seats of {{ $labels.instance }} are taken.',
      means: 'From all of them on requests wait, then they are refused with 429.',
      checks: [levels, waiting, talkers],
      mend: 'A client that came lately is slowed down or rolled back. Slow requests hold seats long: look at etcd and at webhooks. More seats need more memory; `pinion capacity plan FILE` reckons both.',
      when: [
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
      summary: 'The API server refuses requests with 429.',
      description:
        '{{ $value | humanize }} requests a second of flow schema {{ $labels.flow_schema }} are refused ({{ $labels.reason }}).',
      means: 'Clients of this flow try again later; controllers among them fall behind.',
      checks: [levels, waiting, talkers],
      mend: '`queue-full` and `time-out` of a level that only one client uses are what it is for. In `global-default` or `workload-low` others suffer: give the loud client a flow schema of its own with a small level.',
      when: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'flow_schema_priority_level_reason:apiserver_flowcontrol_rejected_requests_total:rate5m > 0.5',
        },
      ],
    },
    {
      name: 'KubeAPIRequestsWaitLong',
      owner: 'platform',
      summary: 'Requests wait long for a seat.',
      description: '99% of requests of level {{ $labels.priority_level }} wait up to {{ $value | humanizeDuration }}.',
      means: 'It is not in the latency that the API server tells: clients see more than that.',
      checks: [levels, waiting, talkers],
      mend: 'As for KubeAPIInflightNearLimit.',
      when: [
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
      description: '99% of calls to {{ $labels.name }} take up to {{ $value | humanizeDuration }}.',
      means: 'Each write that it is called for takes so much longer, and holds a seat all the time.',
      checks: [webhookPods, webhookConfigurations, webhookCause],
      mend: 'Give it more replicas or CPU, or narrow its rules. A webhook in the way of mending is taken out: `kubectl delete validatingwebhookconfiguration NAME`, once its owner knows.',
      when: [
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
      summary: 'Requests are refused because a webhook cannot be asked.',
      description: '{{ $value | humanize }} requests a second are refused because {{ $labels.name }} fails.',
      means: 'Whatever it is called for cannot be written. Where that is pods, nothing starts any more.',
      checks: [webhookPods, webhookConfigurations, webhookCause],
      mend: 'Mend its pods or its certificate. Where its own pods need its consent to start, take the configuration out until they run.',
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: `${rateBy('cluster, name', 'apiserver_admission_webhook_rejection_count', `${jobs.apiServer},error_type=~"calling_webhook_error|apiserver_internal_error"`)} > 0`,
        },
      ],
    },
    {
      name: 'KubeWebhookFailsOpen',
      owner: 'platform',
      summary: 'Requests pass a webhook unseen because it cannot be asked.',
      description: '{{ $value | humanize }} requests a second pass {{ $labels.name }} unseen.',
      means: 'What the webhook is there to prevent or to add is missing in what was written meanwhile.',
      checks: [webhookPods, webhookConfigurations, webhookCause],
      mend: 'Mend it, then look at what was written while it failed; the audit log has the names.',
      when: [
        {
          severity: 'warning',
          for: '5m',
          expr: `${rateBy('cluster, name', 'apiserver_admission_webhook_fail_open_count', jobs.apiServer)} > 0`,
        },
      ],
    },
  ],
};
