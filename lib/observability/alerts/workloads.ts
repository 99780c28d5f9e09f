import { metadataKeys } from '../../api';
import { jobs } from '../promql';
import { type Alert, type AlertGroup, type DiagnosisStep } from './alert';

const labels = 'cluster, kind, project, workload, on_call';
const issue = (name: string): string =>
  `max by (${labels}) (pinion_workload_issues{${jobs.controller},issue="${name}"}) > 0`;
const of = `-l ${metadataKeys.workload}=WORKLOAD`;
const workload = '{{ $labels.kind }} {{ $labels.project }}/{{ $labels.workload }}';
const onCall = 'On call: {{ $labels.on_call }}.';

const runs = { check: 'its runs', command: `kubectl -n PROJECT get jobs ${of},${metadataKeys.kind}=PinterestCronJob` };
const log = { check: 'the log of its pods', command: `kubectl -n PROJECT logs ${of} --tail=50 --prefix` };
const settings = {
  check: 'its schedule, what it does while a run is active, and how long a run should take',
  command:
    'kubectl -n PROJECT get pcj WORKLOAD -o jsonpath=\'{.spec.schedule}{"\\n"}{.spec.concurrencyPolicy}{"\\n"}{.spec.expectedDuration}{"\\n"}\'',
};
const events = (check: string, kind: string): DiagnosisStep => ({
  check,
  command: `kubectl -n PROJECT get events --field-selector=involvedObject.kind=${kind} --sort-by=.lastTimestamp`,
});
const quota = { check: 'the quota of the project', command: 'kubectl -n PROJECT describe resourcequota' };

const cronJobAlerts: readonly Alert[] = [
  {
    name: 'PinionCronJobMissed',
    owner: 'application',
    summary: 'A cron job has missed a start.',
    description: `${workload} has not started at the last time of its schedule, and no run of it is active. ${onCall}`,
    impact: 'The work of that run is not done. The next one starts at its own time.',
    diagnosis: [
      { check: 'its schedule and its last run', command: 'kubectl -n PROJECT get pcj WORKLOAD' },
      events('why no run was created', 'CronJob'),
      {
        check: 'whether the controller manager, which starts the runs, is active',
        command: 'kubectl -n kube-system get lease kube-controller-manager',
      },
    ],
    mitigation:
      'If many cron jobs have missed a start, see KubeControllerManagerDown. A start later than `spec.startingDeadline` is omitted, also after a run that took too long: raise it. Do the work now with `kubectl -n PROJECT create job --from=cronjob/WORKLOAD NAME`.',
    conditions: [{ severity: 'warning', for: '10m', expr: issue('Missed') }],
  },
  {
    name: 'PinionCronJobOverlapping',
    owner: 'application',
    summary: 'A run of a cron job is still active at its next start.',
    description: `${workload} has a run that was still active at the next start. ${onCall}`,
    impact:
      'With the concurrency policy `Forbid`, the next run waits or is omitted. With `Allow`, two runs do the same work at once.',
    diagnosis: [runs, log, settings],
    mitigation:
      'If the run hangs, delete its Job, and set `spec.activeDeadline`. If it needs that long, start it less often, or divide its work with `spec.completions`.',
    conditions: [{ severity: 'info', for: '5m', expr: issue('Overlapping') }],
  },
  {
    name: 'PinionCronJobOverdue',
    owner: 'application',
    summary: 'A run of a cron job takes longer than expected.',
    description: `A run of ${workload} takes longer than its expectedDuration. ${onCall}`,
    impact: 'What depends on its result waits, and it may overlap with its next start.',
    diagnosis: [
      { check: 'whether its pods run', command: `kubectl -n PROJECT get pods ${of} -o wide` },
      log,
      events('why its pods are not created', 'Job'),
    ],
    mitigation:
      'If the run hangs, delete its Job, and set `spec.activeDeadline`. If it usually takes that long, raise `spec.expectedDuration`.',
    conditions: [{ severity: 'warning', expr: issue('Overdue') }],
  },
  {
    name: 'PinionCronJobFailing',
    owner: 'application',
    summary: 'The last run of a cron job has failed.',
    description: `The last run of ${workload} that ended has failed. ${onCall}`,
    impact: 'The work of that run is not done. It is not repeated before the next start.',
    diagnosis: [runs, log, events('why the run failed', 'Job')],
    mitigation:
      'Correct what the log shows, and repeat the run with `kubectl -n PROJECT create job --from=cronjob/WORKLOAD NAME`. The alert ends with a run that succeeds.',
    conditions: [{ severity: 'warning', expr: issue('Failing') }],
  },
];

/** Alerts on single workloads, for their teams. */
export const workloadAlerts: AlertGroup = {
  name: 'pinion-workloads',
  alerts: [
    ...cronJobAlerts,
    {
      name: 'PinionAutoscalerAtLimit',
      owner: 'application',
      summary: 'An autoscaler would have more pods than it may.',
      description: `The autoscaler of ${workload} has been at its maximum for 15 minutes, and would have more pods. ${onCall}`,
      impact: 'The pods have more load than intended. More load makes the workload slow, or makes it fail.',
      diagnosis: [
        { check: 'its metrics and its maximum', command: `kubectl -n PROJECT describe hpa ${of}` },
        { check: 'the usage of its pods', command: `kubectl -n PROJECT top pods ${of}` },
        quota,
      ],
      mitigation:
        'Raise `spec.autoscaling.maxReplicas` within the quota of the project, or find out why the load is unusual. If the maximum is intended, silence the alert for the workload.',
      conditions: [{ severity: 'warning', for: '15m', expr: issue('AtMaxReplicas') }],
    },
  ],
};
