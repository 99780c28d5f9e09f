import { type AlertGroup } from '../alert';
import { burnConditions } from '../burn-rate';
import { jobs, quantileBy, rateBy } from '../terms';
import { alike, contentsCommand, statusCommand } from './etcd-checks';

const readyz = { look: 'which check of a server fails', command: "kubectl get --raw '/readyz?verbose'" };
const talkers = {
  look: 'who asks what, and how much of it',
  command: 'pinion load /var/log/kubernetes/apiserver/audit.log',
};
const etcdHealth = { look: 'whether etcd is slow or out of room', command: statusCommand };
const requests = (text: string) => ({
  look: 'which resources and verbs it is',
  command: `kubectl get --raw /metrics | grep ${text}`,
});

/** Whether the API server answers, soon enough and rightly. */
export const apiServerAlerts: AlertGroup = {
  name: 'kube-apiserver',
  alerts: [
    {
      name: 'KubeAPIDown',
      owner: 'platform',
      summary: 'No API server answers.',
      description: 'Prometheus has reached no API server for 5 minutes.',
      means:
        'Nothing can be deployed, scaled or healed. Pods that run go on; nodes whose leases run out are judged lost once the server is back.',
      checks: [
        readyz,
        {
          look: 'whether the container of the server runs on a master',
          command: 'sudo crictl ps -a --name kube-apiserver',
        },
        {
          look: 'whether etcd has a leader: the server is not ready without it',
          command: 'journalctl -u etcd-main -n 50',
        },
      ],
      mend: 'Mend etcd first where it is down. A server that is killed again and again for want of memory gets a larger machine; `pinion capacity plan FILE` says which. A server that never starts tells why in its log below /var/log/pods.',
      when: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.apiServer}} == 1)` }],
    },
    {
      name: 'KubeAPIErrorBudgetBurn',
      owner: 'platform',
      summary: 'The API server fails or delays more requests than its objective allows.',
      description:
        '{{ $value | humanizePercentage }} of requests failed or were slow in the last {{ $labels.long }}; 1% is what thirty days may have.',
      means:
        'Of a hundred requests one may fail or be slow in thirty days: writes after 1 s, reads after 1 s for one object, 5 s for a namespace, 30 s for a cluster. At this rate the budget is gone before they are over.',
      checks: [requests('apiserver_request_sli_duration_seconds_count'), etcdHealth, talkers],
      mend: 'Slow for all resources: look at etcd and at the memory of masters. Slow for one: look who lists it, and at webhooks that are called for it. A client that floods the server gets a flow schema of its own.',
      when: burnConditions,
    },
    {
      name: 'KubeAPITerminatedRequests',
      owner: 'platform',
      summary: 'The API server gives up requests in self-defence.',
      description: '{{ $value | humanizePercentage }} of requests were given up in the last 10 minutes.',
      means: 'The server has more work than it can do; clients see 429 or broken connections and try again.',
      checks: [
        {
          look: 'whether seats are all taken',
          command: 'kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels',
        },
        talkers,
        etcdHealth,
      ],
      mend: 'Find the client that came last, and slow it down or roll it back. Raise inflight limits only where memory allows; `pinion capacity plan FILE` reckons it.',
      when: [
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
      summary: 'Requests for one resource fail.',
      description:
        '{{ $value | humanizePercentage }} of {{ $labels.verb }} requests for {{ $labels.resource }} end with an error of the server.',
      means:
        'One resource is broken while the rest works: a webhook, a conversion or an aggregated API is behind it more often than etcd.',
      checks: [
        { look: 'what the server answers', command: 'kubectl get RESOURCE -A --limit=1 -v=6' },
        {
          look: 'which webhooks are called for it',
          command: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
        },
        { look: 'whether it is served by another server', command: 'kubectl get apiservices' },
      ],
      mend: 'Mend the webhook, the conversion or the server that answers for it. Objects that cannot be decrypted or decoded are named in the log of the API server.',
      when: [
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
      summary: 'Writes of one resource are slow.',
      description:
        '99% of {{ $labels.verb }} requests for {{ $labels.resource }} take up to {{ $value | humanizeDuration }}; 1s is the objective.',
      means:
        'Controllers fall behind, deploys take longer. Webhooks and waiting for a seat are not in this time: it is the server or etcd.',
      checks: [
        etcdHealth,
        {
          look: 'whether its objects grew',
          command: `kubectl get --raw /metrics | grep apiserver_resource_size_estimate_bytes`,
        },
        talkers,
      ],
      mend: 'Where etcd is slow, see etcdHighFsyncDurations. Where objects are large, `pinion etcd analyze FILE`, given a snapshot, names the ones that take the room.',
      when: [
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
      summary: 'An API that another server answers for is out of reach.',
      description:
        'API service {{ $labels.name }} was out of reach in {{ $value | humanizePercentage }} of the last 10 minutes.',
      means: 'Autoscalers stop without metrics.k8s.io; deletion of namespaces waits for every API that is registered.',
      checks: [
        { look: 'what the server says of it', command: 'kubectl get apiservice NAME -o yaml' },
        { look: 'whether pods stand behind its Service', command: 'kubectl get endpointslices -A' },
        { look: 'whether masters reach pods', command: "kubectl get --raw '/readyz?verbose'" },
      ],
      mend: 'Mend the server behind it. An API service whose server is gone for good is deleted: `kubectl delete apiservice NAME`.',
      when: [
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
      summary: 'Somebody logs in with a client certificate that ends soon.',
      description: 'A certificate that is in use ends in {{ $value | humanizeDuration }} or sooner.',
      means: 'Once it has ended its owner is locked out: a kubelet goes NotReady, a controller stops.',
      checks: [
        { look: 'what ends on a master', command: 'sudo kubeadm certs check-expiration' },
        { look: 'whether kubelets renew theirs', command: 'kubectl get csr' },
        { look: 'why masters did not renew', command: 'journalctl -u pinion-certificates -n 50' },
      ],
      mend: 'On masters: `sudo systemctl start pinion-certificates`. A kubelet that cannot renew: see docs/node-identity.md. People and machines with long-lived certificates get new ones, or a token.',
      when: (
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
      summary: 'No controller manager answers.',
      description: 'Prometheus has reached no kube-controller-manager for 15 minutes.',
      means: 'Deployments do not roll, Jobs do not start, lost pods are not replaced, endpoints do not follow.',
      checks: [
        { look: 'whether one leads', command: 'kubectl -n kube-system get lease kube-controller-manager' },
        { look: 'whether its container runs', command: 'sudo crictl ps -a --name kube-controller-manager' },
        {
          look: 'whether it is only Prometheus that does not reach it: it serves on the loopback address by default',
          command: 'curl -k https://127.0.0.1:10257/healthz',
        },
      ],
      mend: 'Its log below /var/log/pods says why it ended. A lost lease is renewed by itself once the API server answers.',
      when: [{ severity: 'critical', for: '15m', expr: `absent(up{${jobs.controllerManager}} == 1)` }],
    },
    {
      name: 'KubeSchedulerDown',
      owner: 'platform',
      summary: 'No scheduler answers.',
      description: 'Prometheus has reached no kube-scheduler for 15 minutes.',
      means: 'New pods stay Pending; what runs goes on.',
      checks: [
        { look: 'whether one leads', command: 'kubectl -n kube-system get lease kube-scheduler' },
        { look: 'whether its container runs', command: 'sudo crictl ps -a --name kube-scheduler' },
        { look: 'whether pods wait for it', command: 'kubectl get pods -A --field-selector=status.phase=Pending' },
      ],
      mend: 'Its log below /var/log/pods says why it ended.',
      when: [{ severity: 'critical', for: '15m', expr: `absent(up{${jobs.scheduler}} == 1)` }],
    },
    {
      name: 'KubeAPIEtcdRequestsSlow',
      owner: 'platform',
      summary: 'The API server waits long for etcd.',
      description: '99% of {{ $labels.operation }} requests to etcd take up to {{ $value | humanizeDuration }}.',
      means: 'Every write waits at least so long.',
      checks: [
        etcdHealth,
        { look: 'whether the disk is slow', command: 'journalctl -u etcd-main -n 100 | grep slow' },
        { look: 'what takes the room', command: contentsCommand },
      ],
      mend: 'See etcdHighFsyncDurations and etcdHighCommitDurations. Lists that go to etcd are slow too: see KubeAPIListsFromEtcd.',
      when: [
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
      summary: 'etcd fails requests of the API server.',
      description: '{{ $value | humanizePercentage }} of {{ $labels.operation }} requests to etcd fail.',
      means: 'Writes are lost to their callers. All of them: there is no majority, or the database is full.',
      checks: [etcdHealth, { look: 'what etcd says', command: 'journalctl -u etcd-main -n 100' }, readyz],
      mend: `After a space alarm: ${alike('recover')}. Without a majority: see etcdInsufficientMembers.`,
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: `${rateBy('cluster, operation', 'etcd_request_errors_total', jobs.apiServer)} / ${rateBy('cluster, operation', 'etcd_requests_total', jobs.apiServer)} > 0.05`,
        },
      ],
    },
  ],
};
