import { type AlertGroup, type DiagnosisStep } from './alert';
import { jobs, quantileBy, rateBy } from '../promql';
import { readyzStep } from './diagnosis-steps';

const pods = {
  check: 'whether its pods run',
  command: "kubectl get pods -A -l 'app.kubernetes.io/name in (pinion-controller, pinion-platform-controller)'",
};
const log = {
  check: 'its log',
  command: 'kubectl -n pinion-controller logs deployment/pinion-controller --tail=100',
};
const unverified = (reason: string): DiagnosisStep => ({
  check: 'which workloads',
  command: `kubectl get psvc,psts,pds,pjs,ptj,pcj -A -o json | jq -r '.items[] | .metadata as $m | .status.conditions[]? | select(.type == "Verified" and .status == "False" and .reason ${reason}) | $m.namespace + "/" + $m.name + " " + .reason + ": " + .message'`,
});
const unverifiedCount = (reason: string): string =>
  `max by (cluster, kind, reason) (sum by (cluster, instance, kind, reason) (pinion_unverified_workloads{${jobs.controller},${reason}})) > 0`;
const leaders = `leader_election_master_status{${jobs.controller},name=~"pinion-(platform-)?controller"}`;
const metrics = (check: string, name: string): DiagnosisStep => ({
  check,
  command: `kubectl get --raw /api/v1/namespaces/pinion-controller/services/pinion-controller:metrics/proxy/metrics | grep ${name}`,
});
const apiServer = readyzStep('whether the API server is slow or rejects requests');
const profile = { check: 'where the controller spends its time', command: 'pinion profile controller --cpu' };

/** Alerts on the controller and on the workloads that it reconciles. */
export const controllerAlerts: AlertGroup = {
  name: 'pinion-controller',
  alerts: [
    {
      name: 'PinionControllerDown',
      owner: 'platform',
      summary: 'The pinion controller is unreachable.',
      description: 'Prometheus has not been able to scrape any pinion-controller process for 5 minutes.',
      impact:
        'Running workloads are not affected. Changes to custom resources have no effect, and their status is stale.',
      diagnosis: [pods, log, apiServer],
      mitigation:
        'Read its log to find out why it exits, or run `kubectl describe` on its pods to find out why they do not start. Undo a bad upgrade with `kubectl rollout undo`. If the controller runs, Prometheus does not scrape it: see docs/observability.md.',
      conditions: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.controller}} == 1)` }],
    },
    {
      name: 'PinionControllerNoLeader',
      owner: 'platform',
      summary: 'The number of leading pinion controllers is not one.',
      description: '{{ $value }} processes of {{ $labels.name }} are leading.',
      impact:
        'Without a leader of pinion-controller, no workload is reconciled; without one of pinion-platform-controller, no Project and not the Platform. With two leaders for a longer time, one of them has lost its lease without noticing.',
      diagnosis: [
        {
          check: 'which process holds the lease',
          command: 'kubectl get lease -A | grep -E "pinion-(platform-)?controller"',
        },
        log,
        apiServer,
      ],
      mitigation:
        'Without a leader, a standby process acquires the lease when the API server responds. With two, delete the pod that the lease does not name. After a change to a single controller, silence it for a day.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          // A controller whose processes are all gone has no series any more.
          expr: `(sum by (cluster, name) (${leaders}) or 0 * count by (cluster, name) (last_over_time(${leaders}[1d]))) != 1`,
        },
      ],
    },
    {
      name: 'PinionReconcileFailing',
      owner: 'platform',
      summary: 'Reconciles are failing.',
      description: '{{ $value | humanizePercentage }} of reconciles of {{ $labels.kind }} fail.',
      impact:
        'The affected resources are retried with back-off. Specs that the API server rejects are not counted, so this is a platform problem.',
      diagnosis: [log, metrics('which kinds fail', 'pinion_reconcile_total'), apiServer],
      mitigation:
        'For missing permissions after an upgrade, apply the output of `pinion install --image IMAGE`. For rejections by a webhook, see KubeWebhookFailing.',
      conditions: [
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
      summary: 'Reconciles are slow.',
      description: 'The 99th percentile of reconciles of {{ $labels.kind }} is {{ $value | humanizeDuration }}.',
      impact: 'Deployed workloads take longer to become ready.',
      diagnosis: [
        apiServer,
        metrics('whether requests wait for the client-side rate limit', 'rest_client_rate_limiter'),
        profile,
      ],
      mitigation:
        'A slow API server slows reconciles down. If requests wait for the client-side rate limit, raise `--qps` of the controller.',
      conditions: [{ severity: 'warning', for: '15m', expr: 'kind:pinion_reconcile_time_seconds:p99_5m > 5' }],
    },
    {
      name: 'PinionWorkqueueLatencyHigh',
      owner: 'platform',
      summary: 'Resources wait long in the work queue of the controller.',
      description: 'The 99th percentile of the queueing time in {{ $labels.name }} is {{ $value | humanizeDuration }}.',
      impact: 'Changes arrive faster than they are reconciled.',
      diagnosis: [
        metrics('the depth of the queue', 'workqueue_depth'),
        { check: 'which resources change repeatedly', command: 'kubectl get events -A --sort-by=.lastTimestamp' },
        profile,
      ],
      mitigation:
        'After a restart or a change of the Platform, the queue drains without intervention. Otherwise, stop the client that keeps rewriting the same resources.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: `${quantileBy(0.99, 'cluster, name', 'workqueue_queue_duration_seconds', jobs.controller)} > 5`,
        },
      ],
    },
    {
      name: 'PinionWorkqueueStuck',
      owner: 'platform',
      summary: 'A reconcile does not finish.',
      description: 'A key of queue {{ $labels.name }} has been processed for {{ $value | humanizeDuration }}.',
      impact: 'One worker is blocked, and its resource is not reconciled.',
      diagnosis: [log, apiServer, profile],
      mitigation:
        'Delete the leading pod; a standby takes over within a minute. Keep its log: a reconcile that does not finish is a bug.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `max by (cluster, instance, name) (workqueue_longest_running_processor_seconds{${jobs.controller}}) > 300`,
        },
      ],
    },
    {
      name: 'PinionWatchIdleTimeouts',
      owner: 'platform',
      summary: 'Watches of the controller are timing out idle.',
      description: '{{ $value | humanize }} watches of {{ $labels.name }} timed out idle in 30 minutes.',
      impact:
        'A component between the controller and the API server drops connections silently, so that the controller sees changes late.',
      diagnosis: [
        {
          check: 'whether a load balancer or proxy between them closes idle connections',
          command: 'kubectl get endpointslices -n default',
        },
        log,
        apiServer,
      ],
      mitigation: 'Raise the idle timeout of that component to more than a minute.',
      conditions: [
        {
          severity: 'warning',
          expr: `sum by (cluster, name) (increase(pinion_watch_idle_timeouts_total{${jobs.controller}}[30m])) > 3`,
        },
      ],
    },
    {
      name: 'PinionObjectDecodeErrors',
      owner: 'platform',
      summary: 'The controller skips objects that it cannot decode.',
      description: '{{ $value | humanize }} versions of {{ $labels.name }} could not be decoded in an hour.',
      impact: 'These objects are not reconciled; all others are.',
      diagnosis: [
        log,
        { check: 'whether the CRDs match this version', command: 'pinion crds | kubectl diff -f -' },
        metrics('which kinds are affected', 'pinion_undecodable_objects_total'),
      ],
      mitigation: 'Apply the CRDs of this version, and correct or delete the objects that the log names.',
      conditions: [
        {
          severity: 'warning',
          expr: `sum by (cluster, name) (increase(pinion_undecodable_objects_total{${jobs.controller}}[1h])) > 0`,
        },
      ],
    },
    {
      name: 'PinionClientErrors',
      owner: 'platform',
      summary: 'API requests of the controller are failing.',
      description: '{{ $value | humanizePercentage }} of the requests of the controller fail.',
      impact: 'Reconciles are retried and take longer.',
      diagnosis: [apiServer, metrics('the response codes', 'rest_client_requests_total'), log],
      mitigation:
        'For 429, the API server is out of seats: see KubeAPIRequestsRejected. For 5xx or no response, see KubeAPIDown.',
      conditions: [
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
      summary: 'API requests of the controller are throttled client-side.',
      description:
        'The 99th percentile of the time that {{ $labels.verb }} requests wait for the client-side rate limit is {{ $value | humanizeDuration }}.',
      impact: 'Reconciles take longer than the API server needs.',
      diagnosis: [
        metrics('which verbs are throttled', 'rest_client_rate_limiter'),
        {
          check: 'the configured rate limit',
          command: 'kubectl get deployment -A -l app.kubernetes.io/name=pinion-controller -o yaml',
        },
        metrics('which kinds are reconciled most', 'pinion_reconcile_total'),
      ],
      mitigation:
        'After a start, this resolves without intervention. Otherwise raise `--qps` and `--burst`, within the seats of the API server.',
      conditions: [
        {
          severity: 'info',
          for: '15m',
          expr: `${quantileBy(0.99, 'cluster, verb', 'rest_client_rate_limiter_duration_seconds', jobs.controller)} > 1`,
        },
      ],
    },
    {
      name: 'PinionWorkloadsBlockedByPlatform',
      owner: 'platform',
      summary: 'Workloads are blocked by platform issues.',
      description: '{{ $value }} {{ $labels.kind }} are blocked by platform issues.',
      impact: 'Their status names the platform as the owner of the cause: application teams cannot fix it.',
      diagnosis: [
        {
          check: 'which workloads are blocked',
          command:
            'kubectl get psvc,psts,pds,pjs,ptj,pcj -A -o json | jq -r \'.items[] | select(.status.cause.owner == "platform") | .metadata.namespace + "/" + .metadata.name + " " + .status.cause.message\'',
        },
        log,
        { check: 'whether nodes are ready', command: 'pinion nodes' },
      ],
      mitigation: 'docs/reasons.md lists each reason with its next step.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: `max by (cluster, kind) (sum by (cluster, instance, kind) (pinion_workloads{${jobs.controller},ready!="True",owner="platform"})) > 0`,
        },
      ],
    },
    {
      name: 'PinionWorkloadsUnverified',
      owner: 'platform',
      summary: 'Specs of workloads in protected projects are not carried out.',
      description: '{{ $value }} {{ $labels.kind }} are not carried out: {{ $labels.reason }}.',
      impact:
        'Their objects follow the last accepted deployment and keep healing and scaling. They were changed outside of the submission service, or trust in a deployment was lost.',
      diagnosis: [
        unverified('!= "BreakGlass"'),
        {
          check: 'who changed one, in its managed fields',
          command: 'kubectl get KIND NAME -n PROJECT -o yaml --show-managed-fields',
        },
        log,
      ],
      mitigation:
        'Deploy the workload again with the submission service. The condition Verified names the remedy; docs/reasons.md explains its reasons.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: unverifiedCount('reason!="BreakGlass"'),
        },
      ],
    },
    {
      name: 'PinionWorkloadsHeld',
      owner: 'platform',
      summary: 'A version of the controller would change pods that it must not change.',
      description: '{{ $value }} {{ $labels.kind }} stay as they are.',
      impact:
        'Their pods run and autoscalers scale them, but drift is not corrected, and a number of pods in a spec has no effect. A deployment takes the change of the controller along.',
      diagnosis: [
        {
          check: 'which workloads, and since when',
          command:
            "kubectl get pinterest -A -o json | jq -r '.items[] | select(.status.expansion.held) | [.metadata.namespace, .kind, .metadata.name, .status.expansion.held.since] | @tsv'",
        },
        {
          check: 'when the version of the controller changed',
          command: 'kubectl -n pinion-controller rollout history deployment/pinion-controller',
        },
        {
          check: 'which fields of their pods would change, with pinion of the version of the controller',
          command: 'pinion impact report --live',
        },
      ],
      mitigation:
        'Return to the former version of the controller: the hold ends, and nothing is written to an object, if the Platform, the RuntimeProfile, the Project and the number of replicas have not changed meanwhile. If they have, or if the change is wanted, release it project by project with `spec.runtime.expansionRelease` of the Platform; docs/controller.md explains it.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `max by (cluster, kind) (sum by (cluster, instance, kind) (pinion_held_workloads{${jobs.controller}})) > 0`,
        },
      ],
    },
    {
      name: 'PinionAdmissionPoliciesChanged',
      owner: 'platform',
      summary: 'Admission policies of the installation are missing or changed.',
      description: '{{ $labels.kind }} {{ $labels.name }} is {{ $labels.change }}.',
      impact:
        'What the policy forbids may have been written since, and new specs in protected projects are not carried out. Existing objects keep healing and scaling. During an upgrade of pinion, it passes within minutes.',
      diagnosis: [
        {
          check: 'which policies differ from what you install',
          command: 'pinion install --image IMAGE FILE... | kubectl diff --server-side -f -',
        },
        {
          check: 'who changed one, in its managed fields',
          command: 'kubectl get KIND NAME -o yaml --show-managed-fields',
        },
        {
          check: 'who deleted one, in the audit log',
          command: 'grep validatingadmissionpolic /var/log/kubernetes/apiserver/audit.log | grep -v \'"verb":"watch"\'',
        },
      ],
      mitigation:
        'Apply the output of `pinion install --image IMAGE` of the version of the controller. If a policy stays changed, another field manager owns some of its fields: delete it, and apply again. Then look for writes that the policy would have rejected in the audit log.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: `max by (cluster, kind, name, change) (pinion_changed_admission_policies{${jobs.controller}}) > 0`,
        },
      ],
    },
    {
      name: 'PinionBreakGlass',
      owner: 'platform',
      summary: 'Workloads of a protected project bypass their proof.',
      description: '{{ $value }} {{ $labels.kind }} run a break-glass change.',
      impact:
        'What runs was neither published nor deployed. The bypass ends at its expiry, after 24 hours at the latest.',
      diagnosis: [
        unverified('== "BreakGlass"'),
        {
          check: 'who made the change, why, and until when it is valid, in its annotation',
          command: 'kubectl get KIND NAME -n PROJECT -o yaml',
        },
        log,
      ],
      mitigation:
        'If the change is not known, remove the group from `spec.breakGlass` of the Platform and deploy the workload. Otherwise publish and deploy the fix, which ends the bypass.',
      conditions: [{ severity: 'warning', expr: unverifiedCount('reason="BreakGlass"') }],
    },
    {
      name: 'PinionWorkloadsPendingCapacity',
      owner: 'capacity',
      summary: 'Workloads are pending for lack of capacity.',
      description: '{{ $value }} {{ $labels.kind }} are pending for lack of capacity.',
      impact: 'No node fits their pods, and none was added within 15 minutes.',
      diagnosis: [
        { check: 'which nodes accept pods', command: 'pinion nodes' },
        {
          check: 'the status of the autoscaler',
          command: 'kubectl -n platform-scaling get configmap cluster-autoscaler-status -o yaml',
        },
        { check: 'the capacity forecast', command: 'pinion capacity forecast FILE HISTORY' },
      ],
      mitigation:
        'Raise the maximum size of the pool in the cluster configuration, or reduce the requests of the workloads.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: `max by (cluster, kind) (sum by (cluster, instance, kind) (pinion_workloads{${jobs.controller},ready!="True",owner="capacity"})) > 0`,
        },
      ],
    },
  ],
};
