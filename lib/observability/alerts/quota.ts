import { type AlertGroup } from '../alert';

const quotas = { look: 'which quotas are full, and since when', command: 'pinion quota status --live INPUT' };
const passes = { look: 'what the last passes say', command: 'kubectl -n pinion-quota get jobs,pods' };

/** Quotas of projects, and the watcher that tells their owners. */
export const quotaAlerts: AlertGroup = {
  name: 'pinion-quota',
  alerts: [
    {
      name: 'PinionQuotaFull',
      owner: 'quota',
      summary: 'A project has used up its quota.',
      description:
        'Project {{ $labels.project }} uses {{ $value | humanizePercentage }} of its quota of {{ $labels.resource }}.',
      means: 'New pods of the project are refused; deploys with a surge, and scaling, stop first.',
      checks: [
        quotas,
        { look: 'what is refused', command: 'kubectl -n PROJECT get events --field-selector=reason=FailedCreate' },
        { look: 'what uses it', command: 'kubectl -n PROJECT describe resourcequota' },
      ],
      mend: 'Its owners were told by the watcher in their hours. A larger quota is a change of the Project: `pinion quota propose`, review, merge.',
      when: [
        {
          severity: 'warning',
          for: '15m',
          expr: 'max by (cluster, project, resource) (pinion_quota_used_ratio) >= 0.99',
        },
      ],
    },
    {
      name: 'PinionQuotaFillsUp',
      owner: 'quota',
      summary: 'The quota of a project will be full within a week.',
      description:
        'The quota of {{ $labels.resource }} of project {{ $labels.project }} is full in {{ $value | humanize }} days.',
      means: 'There is time to review a larger one.',
      checks: [
        quotas,
        { look: 'what the cluster has left', command: 'pinion quota review OLD NEW' },
        { look: 'what uses it', command: 'kubectl -n PROJECT describe resourcequota' },
      ],
      mend: '`pinion quota propose` writes the change; the owners of the project decide.',
      when: [{ severity: 'info', for: '1h', expr: 'min by (cluster, project, resource) (pinion_quota_days_left) < 7' }],
    },
    {
      name: 'PinionQuotaWatcherStale',
      owner: 'platform',
      summary: 'Nobody watches quotas.',
      description: 'No pass over quotas has succeeded for {{ $value | humanizeDuration }}.',
      means: 'No owner hears that a quota is nearly full, and peaks are lost.',
      checks: [
        passes,
        {
          look: 'why they fail',
          command: 'kubectl -n pinion-quota logs --selector=app.kubernetes.io/name=quota-watch --tail=50',
        },
        { look: 'whether the CronJob is suspended', command: 'kubectl -n pinion-quota get cronjobs' },
      ],
      mend: 'The log names the project or the receiver that it could not reach.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'time() - max by (cluster) (pinion_quota_last_success_timestamp_seconds) > 3600',
        },
      ],
    },
    {
      name: 'PinionQuotaWatcherAbsent',
      owner: 'platform',
      summary: 'No watcher of quotas tells of itself.',
      description: 'No pass over quotas has told of itself for an hour.',
      means: 'Nobody hears that a quota is nearly full, and no other alert of quotas can fire.',
      checks: [
        { look: 'whether it is installed, and runs', command: 'kubectl -n pinion-quota get cronjobs,jobs' },
        { look: 'whether it was told of a Pushgateway', command: 'kubectl -n pinion-quota get cronjobs -o yaml' },
        passes,
      ],
      mend: 'Install it, or give it `QUOTA_PUSHGATEWAY_URL` (docs/quota.md) and have Prometheus scrape that. Where there is to be none, `pinion rules --without pinion-quota` leaves its alerts out.',
      when: [{ severity: 'warning', for: '1h', expr: 'absent(pinion_quota_last_success_timestamp_seconds)' }],
    },
    {
      name: 'PinionQuotaPassFailures',
      owner: 'platform',
      summary: 'Some projects cannot be looked at.',
      description: '{{ $value }} projects could not be looked at in the last pass over quotas.',
      means: 'Their owners hear nothing; all others do.',
      checks: [
        passes,
        {
          look: 'which they are',
          command: 'kubectl -n pinion-quota logs --selector=app.kubernetes.io/name=quota-watch --tail=50',
        },
        { look: 'whether the API server answers', command: "kubectl get --raw '/readyz?verbose'" },
      ],
      mend: 'Correct the Project that the log names, or the address of its receiver.',
      when: [{ severity: 'warning', for: '30m', expr: 'max by (cluster) (pinion_quota_last_pass_failures) > 0' }],
    },
    {
      name: 'PinionNamespacesUnlimited',
      owner: 'platform',
      summary: 'Namespaces have no quota.',
      description: '{{ $value }} namespaces have no quota.',
      means: 'One of them can take the whole cluster, as in the incident of 2020.',
      checks: [
        quotas,
        { look: 'which have none', command: 'kubectl get resourcequota -A' },
        { look: 'whether they belong to a Project', command: 'kubectl get projects' },
      ],
      mend: 'Make them Projects, or give them a ResourceQuota.',
      when: [{ severity: 'info', for: '1h', expr: 'max by (cluster) (pinion_quota_unlimited_namespaces) > 0' }],
    },
  ],
};
