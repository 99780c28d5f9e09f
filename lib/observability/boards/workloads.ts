import { jobs } from '../promql';
import { type Board, panel, stat } from './board';

/** Dashboard of workloads by kind and by the owner of the cause. */
export const workloadBoard: Board = {
  name: 'pinion-workloads',
  title: 'Pinion: workloads',
  description: 'Workloads by kind, by readiness and by the owner of the cause.',
  rows: [
    {
      title: 'Workloads',
      panels: [
        stat(
          'All',
          'By kind.',
          `max by (kind) (sum by (instance, kind) (pinion_workloads{${jobs.controller}}))`,
          '{{kind}}',
        ),
        panel(
          'Not ready',
          'By the owner of the cause: platform, application, quota or capacity.',
          `max by (owner) (sum by (instance, owner) (pinion_workloads{${jobs.controller},ready!="True"}))`,
          '{{owner}}',
        ),
        panel(
          'Not ready by kind',
          'In all projects.',
          `max by (kind) (sum by (instance, kind) (pinion_workloads{${jobs.controller},ready!="True"}))`,
          '{{kind}}',
        ),
        panel(
          'Reconciles by kind',
          'Reconcile rate by kind.',
          'sum by (kind) (kind_result:pinion_reconcile_total:rate5m)',
          '{{kind}}',
          { unit: 'ops' },
        ),
      ],
    },
    {
      title: 'Cron jobs and autoscalers',
      panels: [
        panel(
          'Workloads with an issue',
          'Cron jobs that miss starts, overlap, take too long or fail, and autoscalers at their maximum.',
          `sum by (issue) (max by (issue, kind, project, workload) (pinion_workload_issues{${jobs.controller}}))`,
          '{{issue}}',
        ),
        panel(
          'By project',
          'The same by project.',
          `sum by (project, issue) (max by (issue, kind, project, workload) (pinion_workload_issues{${jobs.controller}}))`,
          '{{project}}: {{issue}}',
        ),
      ],
    },
  ],
};
