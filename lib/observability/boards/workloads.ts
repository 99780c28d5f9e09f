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
  ],
};
