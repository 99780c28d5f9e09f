import { type AlertGroup } from './alert';
import { readyzStep } from './diagnosis-steps';

const quotas = { check: 'which quotas are exhausted, and since when', command: 'pinion quota status --live PROJECTS' };
const runs = { check: 'the last runs of the quota monitor', command: 'kubectl -n pinion-quota get jobs,pods' };

/** Alerts on project quotas and on the quota monitor. */
export const quotaAlerts: AlertGroup = {
  name: 'pinion-quota',
  alerts: [
    {
      name: 'PinionQuotaExhausted',
      owner: 'quota',
      summary: 'A project has exhausted its quota.',
      description:
        'Project {{ $labels.project }} uses {{ $value | humanizePercentage }} of its quota of {{ $labels.resource }}.',
      impact: 'New pods of the project are rejected. Rolling updates with a surge and scale-ups fail first.',
      diagnosis: [
        quotas,
        {
          check: 'which pods are rejected',
          command: 'kubectl -n PROJECT get events --field-selector=reason=FailedCreate',
        },
        { check: 'current usage of the quota', command: 'kubectl -n PROJECT describe resourcequota' },
      ],
      mitigation:
        'The quota monitor has notified the owners during their working hours. To raise the quota, change the Project: run `pinion quota propose --live PROJECTS`, have it reviewed and merge it.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: 'max by (cluster, project, resource) (pinion_quota_used_ratio) >= 0.99',
        },
      ],
    },
    {
      name: 'PinionQuotaExhaustionPredicted',
      owner: 'quota',
      summary: 'A project is predicted to exhaust its quota within a week.',
      description:
        'The quota of {{ $labels.resource }} of project {{ $labels.project }} is predicted to be exhausted in {{ $value | humanizeDuration }}.',
      impact: 'There is time to review a larger quota before pods are rejected.',
      diagnosis: [
        quotas,
        { check: 'the free capacity of the cluster', command: 'pinion quota review OLD NEW' },
        { check: 'current usage of the quota', command: 'kubectl -n PROJECT describe resourcequota' },
      ],
      mitigation: '`pinion quota propose --live PROJECTS` writes the change; the owners of the project decide.',
      conditions: [
        {
          severity: 'info',
          for: '1h',
          expr: 'min by (cluster, project, resource) (pinion_quota_exhaustion_seconds) < 7 * 86400',
        },
      ],
    },
    {
      name: 'PinionQuotaMonitorStale',
      owner: 'platform',
      summary: 'The quota monitor is stale.',
      description: 'The quota monitor last succeeded {{ $value | humanizeDuration }} ago.',
      impact: 'Owners are not notified of quotas that are nearly exhausted, and usage peaks are not recorded.',
      diagnosis: [
        runs,
        {
          check: 'why runs fail',
          command: 'kubectl -n pinion-quota logs --selector=app.kubernetes.io/name=quota-monitor --tail=50',
        },
        { check: 'whether its CronJob is suspended', command: 'kubectl -n pinion-quota get cronjobs' },
      ],
      mitigation: 'The log names the project or the receiver that the monitor could not reach.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'time() - max by (cluster) (pinion_quota_last_success_timestamp_seconds) > 3600',
        },
      ],
    },
    {
      name: 'PinionQuotaMonitorAbsent',
      owner: 'platform',
      summary: 'The quota monitor reports no metrics.',
      description: 'The quota monitor has reported no metrics for an hour.',
      impact: 'Owners are not notified of quotas that are nearly exhausted, and no other quota alert can fire.',
      diagnosis: [
        {
          check: 'whether the quota monitor is installed and runs',
          command: 'kubectl -n pinion-quota get cronjobs,jobs',
        },
        { check: 'whether `QUOTA_PUSHGATEWAY_URL` is set', command: 'kubectl -n pinion-quota get cronjobs -o yaml' },
        runs,
      ],
      mitigation:
        'Install the quota monitor, or set its `QUOTA_PUSHGATEWAY_URL` (docs/quota.md) and have Prometheus scrape that Pushgateway. In a cluster without a quota monitor, omit its alerts with `pinion rules --without pinion-quota`.',
      conditions: [{ severity: 'warning', for: '1h', expr: 'absent(pinion_quota_last_success_timestamp_seconds)' }],
    },
    {
      name: 'PinionQuotaMonitorFailures',
      owner: 'platform',
      summary: 'The quota monitor fails for some projects.',
      description: 'The last run of the quota monitor failed for {{ $value }} projects.',
      impact: 'The owners of these projects are not notified.',
      diagnosis: [
        runs,
        {
          check: 'which projects failed',
          command: 'kubectl -n pinion-quota logs --selector=app.kubernetes.io/name=quota-monitor --tail=50',
        },
        readyzStep('whether the API server is ready'),
      ],
      mitigation: 'Correct the Project that the log names, or the address of its receiver.',
      conditions: [{ severity: 'warning', for: '30m', expr: 'max by (cluster) (pinion_quota_last_pass_failures) > 0' }],
    },
    {
      name: 'PinionNamespacesWithoutQuota',
      owner: 'platform',
      summary: 'Namespaces have no quota.',
      description: '{{ $value }} namespaces have no quota.',
      impact: 'A single one of them can exhaust the cluster, as in the 2020 incident (docs/capacity.md).',
      diagnosis: [
        quotas,
        { check: 'which namespaces have a quota', command: 'kubectl get resourcequota -A' },
        { check: 'whether the namespaces belong to a Project', command: 'kubectl get projects' },
      ],
      mitigation: 'Create a Project for each of these namespaces, or a ResourceQuota.',
      conditions: [{ severity: 'info', for: '1h', expr: 'max by (cluster) (pinion_quota_unlimited_namespaces) > 0' }],
    },
  ],
};
