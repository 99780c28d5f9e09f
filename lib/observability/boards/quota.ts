import { type Board, panel, stat } from './board';

/** Dashboard of project quotas. */
export const quotaBoard: Board = {
  name: 'pinion-quota',
  title: 'Pinion: quotas and projects',
  description: 'Quota usage, and when quotas will be exhausted.',
  rows: [
    {
      title: 'Quotas',
      panels: [
        panel(
          'Highest usage',
          'Highest usage of seven days relative to the quota.',
          'topk(20, max by (project, resource) (pinion_quota_used_ratio))',
          '{{project}} {{resource}}',
          { unit: 'percentunit', threshold: 0.92 },
        ),
        panel(
          'Exhausted soonest',
          'Predicted time until the quota is exhausted.',
          'bottomk(20, min by (project, resource) (pinion_quota_exhaustion_seconds))',
          '{{project}} {{resource}}',
          { unit: 's' },
        ),
      ],
    },
    {
      title: 'Quota monitor',
      panels: [
        stat(
          'Time since the last success',
          'The monitor runs every ten minutes.',
          'time() - max by (cluster) (pinion_quota_last_success_timestamp_seconds)',
          '{{cluster}}',
          { unit: 's', threshold: 3600 },
        ),
        stat(
          'Failed projects',
          'In the last run.',
          'max by (cluster) (pinion_quota_last_pass_failures)',
          '{{cluster}}',
          { threshold: 1 },
        ),
        stat(
          'Namespaces without a quota',
          'They can use the whole cluster.',
          'max by (cluster) (pinion_quota_unlimited_namespaces)',
          '{{cluster}}',
        ),
      ],
    },
  ],
};
