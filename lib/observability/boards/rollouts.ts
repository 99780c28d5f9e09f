import { jobs } from '../promql';
import { type Board, panel, stat } from './board';

const of = (name: string, matchers = ''): string =>
  `max by (cluster) (pinion_rollout_${name}{${jobs.controller}${matchers}})`;

/** Dashboard of rollouts of the Platform. */
export const rolloutBoard: Board = {
  name: 'pinion-rollouts',
  title: 'Pinion: rollouts of the Platform',
  description:
    'How far the rollout in progress has come, and why it stopped; empty if all workloads have the revision.',
  rows: [
    {
      title: 'State',
      panels: [
        stat(
          'Phase',
          'With its reason.',
          `max by (cluster, phase, reason, rollback) (pinion_rollout_phase{${jobs.controller}}) == 1`,
          '{{cluster}} {{phase}} {{reason}}, rollback: {{rollback}}',
        ),
        stat(
          'Completed',
          'Share of the workloads that are ready at the revision.',
          `${of('state_workloads', ',state="completed"')} / (${of('workloads')} > 0)`,
          '{{cluster}}',
          { unit: 'percentunit' },
        ),
        stat(
          'Time without progress',
          'Since the last release, change of a wave or end of a soak time; negative while a wave soaks.',
          `time() - ${of('progress_timestamp_seconds')}`,
          '{{cluster}}',
          { unit: 's', threshold: 3600 },
        ),
        stat(
          'Emergency ends in',
          'Empty without one.',
          `${of('emergency_expiry_timestamp_seconds')} - time() > 0`,
          '{{cluster}}',
          { unit: 's' },
        ),
      ],
    },
    {
      title: 'Workloads',
      panels: [
        panel(
          'Workloads by state',
          'Completed, in transit, failed and blocked, of all that the revision changes.',
          `max by (cluster, state) (pinion_rollout_state_workloads{${jobs.controller}})`,
          '{{cluster}} {{state}}',
          {
            queries: [
              {
                expr: `max by (cluster, state) (pinion_rollout_state_workloads{${jobs.controller}})`,
                legend: '{{cluster}} {{state}}',
              },
              { expr: of('workloads'), legend: '{{cluster}} all' },
            ],
          },
        ),
        panel(
          'Failed and blocked',
          'A failure stops the rollout; a blocked workload rejects the revision.',
          `max by (cluster, state) (pinion_rollout_state_workloads{${jobs.controller},state=~"failed|blocked"})`,
          '{{cluster}} {{state}}',
          { threshold: 1 },
        ),
      ],
    },
  ],
};
