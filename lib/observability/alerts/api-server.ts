import { type AlertGroup } from './alert';
import { burnConditions } from '../recordings/burn-rate';
import { jobs, quantileBy, rateBy } from '../promql';
import {
  apiServerMetricStep,
  auditStep,
  etcdCommands,
  etcdContentsStep,
  etcdStatusStep,
  readyzStep,
} from './diagnosis-steps';

const readyz = readyzStep('which readiness check fails');
const clients = auditStep('which clients send which requests, and how many');
const etcdStatus = etcdStatusStep('whether etcd is slow or out of space');
const requests = apiServerMetricStep(
  'which resources and verbs are affected',
  'apiserver_request_sli_duration_seconds_count',
);

/** Alerts on availability, latency and errors of the API server. */
export const apiServerAlerts: AlertGroup = {
  name: 'kube-apiserver',
  alerts: [
    {
      name: 'KubeAPIDown',
      owner: 'platform',
      summary: 'No API server is reachable.',
      description: 'Prometheus has not been able to scrape any API server for 5 minutes.',
      impact:
        'Nothing can be deployed, scaled or rescheduled. Running pods keep running. Nodes whose leases expire in the meantime are marked NotReady when the server is back.',
      diagnosis: [
        readyz,
        {
          check: 'whether the container of the server runs on a control plane node',
          command: 'sudo crictl ps -a --name kube-apiserver',
        },
        {
          check: 'whether etcd has a leader: the server is not ready without one',
          command: 'journalctl -u etcd-main -n 50',
        },
      ],
      mitigation:
        'If etcd is down, restore etcd first. If the server is repeatedly OOM-killed, move to a larger machine type; `pinion capacity plan FILE` computes the size. If the server does not start, read its log below /var/log/pods.',
      conditions: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.apiServer}} == 1)` }],
    },
    {
      name: 'KubeAPIErrorBudgetBurn',
      owner: 'platform',
      summary: 'The API server is burning its error budget too fast.',
      description:
        '{{ $value | humanizePercentage }} of requests failed or were slow in the last {{ $labels.long }}; the 30-day budget is 1%.',
      impact:
        'The objective allows 1% of requests in 30 days to fail or be slow: writes over 1 s, reads over 1 s for one object, 5 s for a namespace and 30 s for the cluster. At this rate the budget is exhausted early.',
      diagnosis: [requests, etcdStatus, clients],
      mitigation:
        'If all resources are slow, check etcd and the memory of the control plane nodes. If one resource is slow, find the clients that list it and the webhooks that are called for it. Give a client that floods the server its own flow schema.',
      conditions: burnConditions,
    },
    {
      name: 'KubeAPITerminatedRequests',
      owner: 'platform',
      summary: 'The API server is terminating requests to protect itself.',
      description: '{{ $value | humanizePercentage }} of requests were terminated in the last 10 minutes.',
      impact: 'The server is overloaded. Clients get 429 responses or broken connections and retry.',
      diagnosis: [
        {
          check: 'whether all seats are in use',
          command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels',
        },
        clients,
        etcdStatus,
      ],
      mitigation:
        'Find the most recent client, and throttle it or roll it back. Raise the inflight limits only if memory allows; `pinion capacity plan FILE` computes both.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `sum by (cluster) (rate(apiserver_request_terminations_total{${jobs.apiServer}}[10m])) / (sum by (cluster) (rate(apiserver_request_total{${jobs.apiServer}}[10m])) + sum by (cluster) (rate(apiserver_request_terminations_total{${jobs.apiServer}}[10m]))) > 0.2`,
        },
      ],
    },
    {
      name: 'KubeAPIErrorsHigh',
      owner: 'platform',
      summary: 'Requests for one resource are failing.',
      description:
        '{{ $value | humanizePercentage }} of {{ $labels.verb }} requests for {{ $labels.resource }} return a server error.',
      impact:
        'One resource is broken while the others work. The usual causes are a webhook, a conversion webhook or an aggregated API; etcd is a rare one.',
      diagnosis: [
        {
          check: 'the response of the server',
          command: "kubectl get --raw '/apis/GROUP/VERSION/RESOURCE?limit=1' -v=6",
        },
        {
          check: 'which webhooks match the resource',
          command: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
        },
        { check: 'whether an aggregated API server serves it', command: 'kubectl get apiservices' },
      ],
      mitigation:
        'Repair the webhook, the conversion or the aggregated API server. The API server log names objects that cannot be decrypted or decoded.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${rateBy('cluster, resource, verb', 'apiserver_request_total', `${jobs.apiServer},code=~"5.."`)} / ${rateBy('cluster, resource, verb', 'apiserver_request_total', jobs.apiServer)} > 0.05 and ${rateBy('cluster, resource, verb', 'apiserver_request_total', `${jobs.apiServer},code=~"5.."`)} > 0.1`,
        },
      ],
    },
    {
      name: 'KubeAPILatencyHigh',
      owner: 'platform',
      summary: 'Writes to one resource are slow.',
      description:
        'The 99th percentile of {{ $labels.verb }} requests for {{ $labels.resource }} is {{ $value | humanizeDuration }}; the objective is 1s.',
      impact:
        'Controllers fall behind and deployments take longer. This latency excludes webhooks and queueing, so the cause is the server or etcd.',
      diagnosis: [
        etcdStatus,
        apiServerMetricStep('whether its objects have grown', 'apiserver_resource_size_estimate_bytes'),
        clients,
      ],
      mitigation:
        'If etcd is slow, see etcdHighFsyncDurations. If objects are large, take a snapshot and run `pinion etcd analyze FILE` to find the largest ones.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{quantile="0.99",kind="write"} > 1',
        },
      ],
    },
    {
      name: 'KubeAggregatedAPIDown',
      owner: 'platform',
      summary: 'An aggregated API is unavailable.',
      description:
        'API service {{ $labels.name }} was unavailable for {{ $value | humanizePercentage }} of the last 10 minutes.',
      impact:
        'Without metrics.k8s.io, autoscalers stop. Namespace deletion blocks until every registered API responds.',
      diagnosis: [
        { check: 'the conditions of the API service', command: 'kubectl get apiservice NAME -o yaml' },
        { check: 'whether its Service has ready endpoints', command: 'kubectl get endpointslices -A' },
        readyzStep('whether control plane nodes can reach pods'),
      ],
      mitigation:
        'Repair the server behind the API service. If that server was removed for good, delete the API service: `kubectl delete apiservice NAME`.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `max by (cluster, name) (avg_over_time(aggregator_unavailable_apiservice{${jobs.apiServer}}[10m])) > 0.15`,
        },
      ],
    },
    {
      name: 'KubeClientCertificateExpiration',
      owner: 'platform',
      summary: 'A client certificate in use expires soon.',
      description: 'A client certificate in use expires in {{ $value | humanizeDuration }} or less.',
      impact: 'When it expires, its owner can no longer authenticate: a kubelet goes NotReady, a controller stops.',
      diagnosis: [
        { check: 'the expiry of certificates on a control plane node', command: 'sudo kubeadm certs check-expiration' },
        { check: 'whether kubelets renew their certificates', command: 'kubectl get csr' },
        { check: 'why the certificates were not renewed', command: 'journalctl -u pinion-certificates -n 50' },
      ],
      mitigation:
        'On control plane nodes, run `sudo systemctl start pinion-certificates`. For a kubelet that cannot renew its certificate, see docs/node-identity.md. Issue new certificates or tokens to users and machines that hold long-lived ones.',
      conditions: (
        [
          ['warning', 7 * 86_400, {}],
          ['critical', 86_400, {}],
        ] as const
      ).map(([severity, seconds]) => ({
        severity,
        for: '5m',
        expr: `histogram_quantile(0.01, sum without (namespace, service, endpoint) (rate(apiserver_client_certificate_expiration_seconds_bucket{${jobs.apiServer}}[5m]))) < ${seconds} and on (job, instance) apiserver_client_certificate_expiration_seconds_count{${jobs.apiServer}} > 0`,
      })),
    },
    {
      name: 'KubeControllerManagerDown',
      owner: 'platform',
      summary: 'No controller manager is reachable.',
      description: 'Prometheus has not been able to scrape any kube-controller-manager for 15 minutes.',
      impact:
        'Deployments do not roll out, Jobs do not start, lost pods are not replaced and endpoints are not updated.',
      diagnosis: [
        { check: 'which instance leads', command: 'kubectl -n kube-system get lease kube-controller-manager' },
        { check: 'whether its container runs', command: 'sudo crictl ps -a --name kube-controller-manager' },
        {
          check: 'whether only Prometheus cannot reach it: it listens on the loopback address by default',
          command: 'curl -k https://127.0.0.1:10257/healthz',
        },
      ],
      mitigation:
        'Read its log below /var/log/pods to find out why it exited. A lost lease is reacquired automatically when the API server responds.',
      conditions: [{ severity: 'critical', for: '15m', expr: `absent(up{${jobs.controllerManager}} == 1)` }],
    },
    {
      name: 'KubeSchedulerDown',
      owner: 'platform',
      summary: 'No scheduler is reachable.',
      description: 'Prometheus has not been able to scrape any kube-scheduler for 15 minutes.',
      impact: 'New pods stay Pending. Running pods are not affected.',
      diagnosis: [
        { check: 'which instance leads', command: 'kubectl -n kube-system get lease kube-scheduler' },
        { check: 'whether its container runs', command: 'sudo crictl ps -a --name kube-scheduler' },
        { check: 'whether pods are pending', command: 'kubectl get pods -A --field-selector=status.phase=Pending' },
      ],
      mitigation: 'Read its log below /var/log/pods to find out why it exited.',
      conditions: [{ severity: 'critical', for: '15m', expr: `absent(up{${jobs.scheduler}} == 1)` }],
    },
    {
      name: 'KubeAPIEtcdRequestsSlow',
      owner: 'platform',
      summary: 'Requests of the API server to etcd are slow.',
      description:
        'The 99th percentile of {{ $labels.operation }} requests to etcd is {{ $value | humanizeDuration }}.',
      impact: 'Every write to the cluster takes at least this long.',
      diagnosis: [
        etcdStatus,
        { check: 'whether the disk is slow', command: 'journalctl -u etcd-main -n 100 | grep slow' },
        etcdContentsStep('the contents of the database'),
      ],
      mitigation:
        'See etcdHighFsyncDurations and etcdHighCommitDurations. Lists that bypass the watch cache also slow etcd down: see KubeAPIListsFromEtcd.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, operation', 'etcd_request_duration_seconds', `${jobs.apiServer},operation!~"list|listWithCount"`)} > 0.5`,
        },
      ],
    },
    {
      name: 'KubeAPIEtcdRequestErrors',
      owner: 'platform',
      summary: 'Requests of the API server to etcd are failing.',
      description: '{{ $value | humanizePercentage }} of {{ $labels.operation }} requests to etcd fail.',
      impact: 'Clients get errors for their writes. If all requests fail, etcd has no quorum or its database is full.',
      diagnosis: [etcdStatus, { check: 'the etcd log', command: 'journalctl -u etcd-main -n 100' }, readyz],
      mitigation: `After a space alarm, run ${etcdCommands('recover')}. Without a quorum, see etcdInsufficientMembers.`,
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: `${rateBy('cluster, operation', 'etcd_request_errors_total', jobs.apiServer)} / ${rateBy('cluster, operation', 'etcd_requests_total', jobs.apiServer)} > 0.05`,
        },
      ],
    },
  ],
};
