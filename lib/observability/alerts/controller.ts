import { type AlertGroup } from '../alert';
import { jobs, quantileBy, rateBy } from '../terms';

const pods = {
  look: 'whether its pods run',
  command: 'kubectl get pods -A -l app.kubernetes.io/name=pinion-controller',
};
const log = {
  look: 'what it says',
  command: 'kubectl -n pinion-controller logs deployment/pinion-controller --tail=100',
};
const metrics = (what: string, name: string) => ({
  look: what,
  command: `kubectl get --raw /api/v1/namespaces/pinion-controller/services/pinion-controller:metrics/proxy/metrics | grep ${name}`,
});
const server = { look: 'whether the API server is slow or refuses', command: "kubectl get --raw '/readyz?verbose'" };
const profile = { look: 'where its time goes', command: 'pinion profile controller --cpu' };

/** The controller: whether it leads, keeps up, sees the cluster, and what workloads wait for. */
export const controllerAlerts: AlertGroup = {
  name: 'pinion-controller',
  alerts: [
    {
      name: 'PinionControllerDown',
      owner: 'platform',
      summary: 'No controller of pinion answers.',
      description: 'Prometheus has reached no process of pinion-controller for 5 minutes.',
      means: 'Workloads that run go on. Changes of custom resources do nothing, and their status is old.',
      checks: [pods, log, server],
      mend: 'Its log says why it ends; `kubectl describe` of its pods why they do not start. A wrong version is taken back with `kubectl rollout undo`. Where it runs, Prometheus does not scrape it (docs/observability.md).',
      when: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.controller}} == 1)` }],
    },
    {
      name: 'PinionControllerNoLeader',
      owner: 'platform',
      summary: 'Not exactly one controller of pinion leads.',
      description: '{{ $value }} processes of pinion-controller lead.',
      means: 'None: nothing is reconciled. Two for long: one of them has lost its lease without noticing.',
      checks: [{ look: 'who holds the lease', command: 'kubectl get lease -A | grep pinion-controller' }, log, server],
      mend: 'With none, a process that waits takes the lease once the API server answers. With two, delete the pod that the lease does not name.',
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: `sum by (cluster) (leader_election_master_status{${jobs.controller},name="pinion-controller"}) != 1`,
        },
      ],
    },
    {
      name: 'PinionReconcileFailing',
      owner: 'platform',
      summary: 'Passes of the controller fail.',
      description: '{{ $value | humanizePercentage }} of the passes over {{ $labels.kind }} fail.',
      means:
        'These documents are tried again later and later. A refusal of the API server for a wrong spec is not among them: this is the platform.',
      checks: [log, metrics('which kinds fail', 'pinion_reconcile_total'), server],
      mend: 'Missing rights after an upgrade: apply what `pinion install --image IMAGE` prints. Refusals by a webhook: see KubeWebhookFailing.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'sum by (cluster, kind) (kind_result:pinion_reconcile_total:rate5m{result="failed"}) / sum by (cluster, kind) (kind_result:pinion_reconcile_total:rate5m) > 0.1',
        },
      ],
    },
    {
      name: 'PinionReconcileSlow',
      owner: 'platform',
      summary: 'Passes of the controller take long.',
      description: '99% of passes over {{ $labels.kind }} take up to {{ $value | humanizeDuration }}.',
      means: 'What is deployed takes longer until it is Ready.',
      checks: [server, metrics('whether requests wait for its own rate', 'rest_client_rate_limiter'), profile],
      mend: 'A slow API server makes passes slow. Where requests wait for the rate, raise `--qps` of the controller.',
      when: [{ severity: 'warning', for: '15m', expr: 'kind:pinion_reconcile_time_seconds:p99_5m > 5' }],
    },
    {
      name: 'PinionQueueWaitsLong',
      owner: 'platform',
      summary: 'Documents wait long for a worker of the controller.',
      description: '99% of the keys of queue {{ $labels.name }} wait up to {{ $value | humanizeDuration }}.',
      means: 'More changes than passes can be made.',
      checks: [
        metrics('how many wait', 'workqueue_depth'),
        { look: 'which documents change again and again', command: 'kubectl get events -A --sort-by=.lastTimestamp' },
        profile,
      ],
      mend: 'After a start or a new Platform it passes by itself. Else somebody writes the same documents again and again: stop him.',
      when: [
        {
          severity: 'warning',
          for: '15m',
          expr: `${quantileBy(0.99, 'cluster, name', 'workqueue_queue_duration_seconds', jobs.controller)} > 5`,
        },
      ],
    },
    {
      name: 'PinionQueueStuck',
      owner: 'platform',
      summary: 'A pass of the controller does not end.',
      description: 'A key of queue {{ $labels.name }} has been worked on for {{ $value | humanizeDuration }}.',
      means: 'One worker is lost, and that document is not looked at.',
      checks: [log, server, profile],
      mend: 'Delete the pod that leads; the next one takes over within a minute. Keep its log: a pass that does not end is a defect.',
      when: [
        {
          severity: 'warning',
          for: '5m',
          expr: `max by (cluster, instance, name) (workqueue_longest_running_processor_seconds{${jobs.controller}}) > 300`,
        },
      ],
    },
    {
      name: 'PinionWatchesSilent',
      owner: 'platform',
      summary: 'Watches of the controller bring nothing and are given up.',
      description: '{{ $value | humanize }} watches of {{ $labels.name }} were given up in 30 minutes.',
      means:
        'Something between the controller and the API server swallows connections; the controller sees changes late.',
      checks: [
        {
          look: 'whether a load balancer or proxy between them cuts idle connections',
          command: 'kubectl get endpointslices -n default',
        },
        log,
        server,
      ],
      mend: 'Raise the idle time of what lies between to more than a minute.',
      when: [
        {
          severity: 'warning',
          expr: `sum by (cluster, name) (increase(reflector_silent_watches_total{${jobs.controller}}[30m])) > 3`,
        },
      ],
    },
    {
      name: 'PinionObjectsBroken',
      owner: 'platform',
      summary: 'The controller sets objects aside that it cannot read.',
      description: '{{ $value | humanize }} versions of {{ $labels.name }} were set aside in an hour.',
      means: 'These documents are not reconciled; all others are.',
      checks: [
        log,
        { look: 'whether definitions are those of this version', command: 'pinion crds | kubectl diff -f -' },
        metrics('which kinds', 'reflector_broken_objects_total'),
      ],
      mend: 'Apply the definitions of this version, and correct or delete the objects that the log names.',
      when: [
        {
          severity: 'warning',
          expr: `sum by (cluster, name) (increase(reflector_broken_objects_total{${jobs.controller}}[1h])) > 0`,
        },
      ],
    },
    {
      name: 'PinionClientErrors',
      owner: 'platform',
      summary: 'Requests of the controller fail.',
      description: '{{ $value | humanizePercentage }} of the requests of the controller fail.',
      means: 'Passes are repeated and take longer.',
      checks: [server, metrics('with which codes', 'rest_client_requests_total'), log],
      mend: '429: the API server is short of seats, see KubeAPIRequestsRejected. 5xx or none: see KubeAPIDown.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${rateBy('cluster', 'rest_client_requests_total', `${jobs.controller},code=~"5..|429|<error>"`)} / ${rateBy('cluster', 'rest_client_requests_total', jobs.controller)} > 0.05`,
        },
      ],
    },
    {
      name: 'PinionClientThrottled',
      owner: 'platform',
      summary: 'The controller waits for its own rate.',
      description:
        '99% of {{ $labels.verb }} requests wait up to {{ $value | humanizeDuration }} for the rate of the client.',
      means: 'Passes take longer than the API server needs.',
      checks: [
        metrics('which verbs', 'rest_client_rate_limiter'),
        {
          look: 'which rate it was given',
          command: 'kubectl get deployment -A -l app.kubernetes.io/name=pinion-controller -o yaml',
        },
        metrics('which kinds are passed over most', 'pinion_reconcile_total'),
      ],
      mend: 'After a start it passes. Else raise `--qps` and `--burst`, within what the API server has seats for.',
      when: [
        {
          severity: 'info',
          for: '15m',
          expr: `${quantileBy(0.99, 'cluster, verb', 'rest_client_rate_limiter_duration_seconds', jobs.controller)} > 1`,
        },
      ],
    },
    {
      name: 'PinionWorkloadsWaitForPlatform',
      owner: 'platform',
      summary: 'Workloads are not ready, and it is for the platform to act.',
      description: '{{ $value }} {{ $labels.kind }} wait for the platform.',
      means: 'Their status names the platform as owner of the cause: their own people cannot help themselves.',
      checks: [
        {
          look: 'which they are',
          command:
            'kubectl get psvc,psts,pds,pjs,ptj,pcj -A -o json | jq -r \'.items[] | select(.status.cause.owner == "platform") | .metadata.namespace + "/" + .metadata.name + " " + .status.cause.message\'',
        },
        log,
        { look: 'whether nodes are ready', command: 'pinion nodes' },
      ],
      mend: 'docs/reasons.md tells each reason with its next step.',
      when: [
        {
          severity: 'warning',
          for: '15m',
          expr: `max by (cluster, kind) (sum by (cluster, instance, kind) (pinion_workloads{${jobs.controller},ready!="True",owner="platform"})) > 0`,
        },
      ],
    },
    {
      name: 'PinionWorkloadsWaitForCapacity',
      owner: 'capacity',
      summary: 'Workloads wait for machines.',
      description: '{{ $value }} {{ $labels.kind }} wait for machines.',
      means: 'No node takes their pods, and none came in a quarter of an hour.',
      checks: [
        { look: 'which nodes take pods', command: 'pinion nodes' },
        {
          look: 'what the autoscaler says',
          command: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml',
        },
        { look: 'what plan and forecast say', command: 'pinion capacity forecast FILE HISTORY' },
      ],
      mend: 'Raise the bounds of the pool in the description of the cluster, or lower what asks for it.',
      when: [
        {
          severity: 'warning',
          for: '15m',
          expr: `max by (cluster, kind) (sum by (cluster, instance, kind) (pinion_workloads{${jobs.controller},ready!="True",owner="capacity"})) > 0`,
        },
      ],
    },
  ],
};
