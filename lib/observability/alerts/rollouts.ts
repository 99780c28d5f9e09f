import { type AlertGroup, type DiagnosisStep } from './alert';
import { jobs } from '../promql';

const status: DiagnosisStep = {
  check: 'its waves, whose workloads are in transit, why it is in its phase, and the next step',
  command: 'pinion rollout status',
};
const failure: DiagnosisStep = {
  check:
    'what failed: `message` and the table `failed`, or of a rollback the row `cause`, which has the reason of the rollout that it rolls back',
  command: 'pinion rollout status',
};
const events: DiagnosisStep = {
  check: 'its events',
  command: 'kubectl get events -A --field-selector involvedObject.kind=PlatformRollout --sort-by=.lastTimestamp',
};
const log: DiagnosisStep = {
  check: 'the log of the controller',
  command: 'kubectl -n pinion-controller logs deployment/pinion-controller --tail=100',
};
const causes: DiagnosisStep = {
  check: 'the causes of the workloads that are not ready',
  command: `kubectl get pinterest -A -o json | jq -r '.items[] | select(.status.cause) | [.metadata.namespace, .kind, .metadata.name, .status.cause.reason, .status.cause.message] | @tsv'`,
};
const whoChanged: DiagnosisStep = {
  check: 'who changed or deleted it, in the audit log of each control plane node',
  command: `jq -c 'select(.objectRef.resource == "platformrollouts" and (.objectRef.subresource | not) and (.verb | IN("patch", "update", "delete"))) | [.requestReceivedTimestamp, .user.username, .verb, .objectRef.name]' /var/log/kubernetes/apiserver/audit.log`,
};

/** What happens to a change of the Platform meanwhile. */
const changeMeanwhile =
  'Another change of the Platform ends this rollout as `Superseded` and starts its own; only a rollback ends first. Running pods are not affected.';

/** Whether the rollout is in one of some phases, by phase and reason. */
const isIn = (matchers: string): string =>
  `max by (cluster, phase, reason) (pinion_rollout_phase{${jobs.controller},${matchers}}) == 1`;
const idleTime = `time() - max by (cluster) (pinion_rollout_progress_timestamp_seconds{${jobs.controller}})`;

/** Alerts on rollouts of the Platform. */
export const rolloutAlerts: AlertGroup = {
  name: 'pinion-rollouts',
  alerts: [
    {
      name: 'PinionRolloutFailed',
      owner: 'platform',
      summary: 'A rollout of the Platform failed.',
      description: 'The rollout, or its rollback, is {{ $labels.phase }}: {{ $labels.reason }}.',
      impact:
        'Workloads that were released failed. No other workload is released; with `onFailure: Rollback`, those that were return to their former revisions. The Platform states a revision that workloads do not have.',
      diagnosis: [failure, causes, events],
      mitigation:
        'If it is not rolled back automatically, run `pinion rollout rollback`. Then set the former values in the Platform, or remove the cause and let an administrator of the Platform delete the PlatformRollout, so that the controller tries again.',
      conditions: [
        {
          severity: 'warning',
          expr: `${isIn('phase=~"Failed|RolledBack"')} or ${isIn('phase!="Completed",rollback="true"')}`,
        },
      ],
    },
    {
      name: 'PinionRolloutStuck',
      owner: 'platform',
      summary: 'A rollout of the Platform makes no progress.',
      description: 'Nothing was released and no wave changed for {{ $value | humanizeDuration }}.',
      impact: `Workloads have two revisions. ${changeMeanwhile}`,
      diagnosis: [status, causes, log],
      mitigation:
        'It continues by itself once the cause is gone. Common causes are an impact that is not approved (`ImpactNotApproved`: `pinion rollout status` has the command that approves it), a canary that does not pass, a tier with too many unready workloads, a quota without free capacity, and workloads that do not stay healthy while a wave soaks. Remove the cause, or stop it with `pinion rollout abort` or `pinion rollout rollback`. `pinion rollout resume` is only for a rollout that `pause` has stopped.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `${idleTime} > 3600 and on (cluster) ${isIn('phase=~"Pending|Progressing",reason!="Frozen"')}`,
        },
      ],
    },
    {
      name: 'PinionRolloutPaused',
      owner: 'platform',
      summary: 'A rollout of the Platform is stopped partway.',
      description: 'The rollout has been {{ $labels.phase }} for two hours: {{ $labels.reason }}.',
      impact: `Workloads have two revisions. ${changeMeanwhile}`,
      diagnosis: [status, whoChanged, events],
      mitigation:
        'With the reason `Requested`, continue with `pinion rollout resume`. `MetricsFail`: find out what the gate shows; the rollout has released nothing and continues once the expression has no result. If the gate is wrong, correct `spec.rollouts.metricGates` of the Platform and abort the rollout; once an administrator deletes it, the next one has the new gates. `MetricsInconclusive`: Prometheus does not respond to the controller; repair it, or, if the change cannot wait, run `pinion rollout emergency --reason TEXT`: a missing answer then holds nothing. With another reason, a paused rollout continues by itself once the cause is gone, or fails and is then rolled back if `onFailure` is `Rollback`: remove the cause that the message names. Otherwise return to the former revision with `pinion rollout rollback`. An aborted rollout starts again once an administrator of the Platform deletes its PlatformRollout.',
      conditions: [{ severity: 'warning', for: '2h', expr: isIn('phase=~"Paused|Aborted"') }],
    },
    {
      name: 'PinionRolloutEmergency',
      owner: 'platform',
      summary: 'A rollout of the Platform runs in an emergency.',
      description: 'The emergency ends in {{ $value | humanizeDuration }}.',
      impact:
        'Soak times, freezes, the canary and a missing approval do not count, so that a fault of the revision reaches more workloads before it is seen. Budgets and disruption budgets count.',
      diagnosis: [
        status,
        {
          check: 'its reason and expiry',
          command: `kubectl get platformrollouts -o jsonpath='{range .items[*]}{.metadata.name} {.spec.emergency}{"\\n"}{end}'`,
        },
        whoChanged,
      ],
      mitigation: 'End it with `pinion rollout emergency --end` when its reason is gone; otherwise it expires.',
      conditions: [
        {
          severity: 'info',
          expr: `max by (cluster) (pinion_rollout_emergency_expiry_timestamp_seconds{${jobs.controller}}) - time() > 0`,
        },
      ],
    },
  ],
};
