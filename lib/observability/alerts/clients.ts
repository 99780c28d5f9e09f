import { jobs } from '../promql';
import { type AlertGroup } from './alert';
import { apiServerMetricStep } from './diagnosis-steps';

const clientsStep = (check: string) => ({ check, command: 'pinion clients /var/log/kubernetes/apiserver --live' });
const owner = {
  check: 'the team and the on-call contact of the Project',
  command: 'kubectl get project PROJECT -o yaml',
};
const client = 'cluster, project, account, user_agent';
const finding = (matchers: string): string =>
  `max by (${client}, practice, on_call, resource) (pinion_client_findings{${jobs.clients},${matchers}}) > 0`;

/** Alerts on the clients of the API server. */
export const clientAlerts: AlertGroup = {
  name: 'pinion-clients',
  alerts: [
    {
      name: 'PinionClientCostHigh',
      owner: 'platform',
      summary: 'One client uses a large part of the API server.',
      description:
        '{{ $labels.account }} ({{ $labels.user_agent }}) of project {{ $labels.project }} occupies {{ $value | humanize }} seats of the API servers on average.',
      impact: 'Requests of other clients of the same priority level wait, or are rejected with 429.',
      diagnosis: [
        clientsStep('which requests of the client cost how much, and which practices it violates'),
        owner,
        apiServerMetricStep('the seats in use by priority level', 'apiserver_flowcontrol_current_executing_seats'),
      ],
      mitigation:
        'Ask the team to follow the remedy that the first command prints. Until then, put the account into a priority level of its own with a FlowSchema.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: `sum by (${client}) (rate(pinion_client_seat_seconds_total{${jobs.clients},project!="other"}[10m])) > on (cluster) group_left () (0.15 * sum by (cluster) (apiserver_flowcontrol_nominal_limit_seats{${jobs.apiServer}}))`,
        },
      ],
    },
    {
      name: 'PinionClientViolatesPractice',
      owner: 'application',
      summary: 'A client loads the API server without need.',
      description:
        '{{ $labels.account }} ({{ $labels.user_agent }}) of project {{ $labels.project }}: {{ $labels.practice }}, {{ $value }} requests to {{ $labels.resource }}. On call: {{ $labels.on_call }}.',
      impact: 'Its load grows with the cluster or with its own replicas, and may delay other clients later.',
      diagnosis: [
        clientsStep('what it does, how often, and what to do instead'),
        owner,
        { check: 'the logs of the client', command: 'kubectl -n PROJECT logs POD --tail=50' },
      ],
      mitigation: 'Follow the remedy that the first command prints.',
      conditions: [{ severity: 'info', for: '15m', expr: finding('practice!="DirectAccess"') }],
    },
    {
      name: 'PinionClientBypassesGateway',
      owner: 'platform',
      summary: 'A client reaches the API server without the gateway.',
      description:
        '{{ $labels.account }} ({{ $labels.user_agent }}) of project {{ $labels.project }} sent {{ $value }} requests that did not come through the gateway. On call: {{ $labels.on_call }}.',
      impact: 'Neither the caches nor the budgets of the gateway apply to it.',
      diagnosis: [
        {
          check: 'which clients bypass it',
          command:
            'pinion clients /var/log/kubernetes/apiserver --live --gateway system:serviceaccount:pinion-gateway:pinion-gateway',
        },
        { check: 'since when its pods run', command: 'kubectl -n PROJECT get pods -o wide' },
        owner,
      ],
      mitigation:
        'Restart pods that are older than the gateway. Otherwise ask the team to use the mounted token, authority and address, or add the project to `spec.gateway.directProjects` of the Platform.',
      conditions: [{ severity: 'warning', for: '15m', expr: finding('practice="DirectAccess"') }],
    },
    {
      name: 'PinionClientMonitorDown',
      owner: 'platform',
      summary: 'The client monitor of a control plane node is unreachable.',
      description: 'The client monitor of {{ $labels.instance }} has been unreachable for 15 minutes.',
      impact: 'Requests to this API server are not attributed to Projects, and no alert names a client.',
      diagnosis: [
        {
          check: 'whether its pod runs on the node, and why not',
          command: 'kubectl -n kube-system describe pods -l app.kubernetes.io/name=pinion-client-monitor',
        },
        {
          check: 'its log',
          command: 'kubectl -n kube-system logs -l app.kubernetes.io/name=pinion-client-monitor --tail=50',
        },
        {
          check: 'whether the API server reaches it',
          command: 'kubectl get --raw /metrics | grep apiserver_audit_error_total',
        },
      ],
      mitigation:
        'Delete its pod if it does not answer. The API server drops the events that it cannot send; they are in the audit log on the node, which `pinion clients /var/log/kubernetes/apiserver` reads there.',
      conditions: [{ severity: 'warning', for: '15m', expr: `up{${jobs.clients}} == 0` }],
    },
  ],
};
