import { jobs, quantileBy, rateBy } from '../terms';
import { type Board, figure, panel } from './board';

const own = (name: string): string => `${name}{${jobs.controller}}`;
const share = 'percentunit';

/** pinion's own programs. */
export const controllerBoard: Board = {
  name: 'pinion-controller',
  title: 'Pinion: controller and services',
  description: 'The controller, the registrars, the submission service, the canary, and the memory of masters.',
  rows: [
    {
      title: 'Controller',
      panels: [
        panel(
          'Passes',
          'By result; refused is an answer, failed is not.',
          'sum by (result) (kind_result:pinion_reconcile_total:rate5m)',
          '{{result}}',
          { unit: 'ops' },
        ),
        panel('Time of a pass', '99% by kind.', 'kind:pinion_reconcile_time_seconds:p99_5m', '{{kind}}', {
          unit: 's',
          concern: 5,
        }),
        panel('Queue', 'Keys that are due, that came, and that came back.', own('workqueue_depth'), 'due {{name}}', {
          queries: [
            { expr: own('workqueue_depth'), legend: 'due {{name}}' },
            { expr: rateBy('name', 'workqueue_adds_total', jobs.controller), legend: 'came a second {{name}}' },
            { expr: rateBy('name', 'workqueue_retries_total', jobs.controller), legend: 'came back a second {{name}}' },
          ],
        }),
        panel(
          'Waiting in the queue',
          '99% of keys.',
          quantileBy(0.99, 'name', 'workqueue_queue_duration_seconds', jobs.controller),
          '{{name}}',
          { unit: 's', concern: 5 },
        ),
        panel(
          'Requests',
          'Of the controller, by code.',
          rateBy('code', 'rest_client_requests_total', jobs.controller),
          '{{code}}',
          { unit: 'reqps' },
        ),
        panel('Memory', 'Of each process.', own('process_resident_memory_bytes'), '{{instance}}', { unit: 'bytes' }),
        panel(
          'Objects in memory',
          'By kind.',
          `topk(10, max by (kind) (${own('pinion_mirrored_objects')}))`,
          '{{kind}}',
        ),
      ],
    },
    {
      title: 'Registrars',
      panels: [
        panel(
          'Registered',
          'Of those whose app is ready.',
          'sum by (namespace) (pinion_registrar_registered) / sum by (namespace) (pinion_registrar_app_ready)',
          '{{namespace}}',
          { unit: share },
        ),
        panel(
          'Sessions that ended',
          'In an hour.',
          'sum by (namespace) (increase(pinion_registrar_sessions_expired_total[1h]))',
          '{{namespace}}',
        ),
      ],
    },
    {
      title: 'Submission and canary',
      panels: [
        panel(
          'Requests to the submission service',
          'By operation and status.',
          'operation_status:pinion_submission_requests_total:rate5m',
          '{{operation}} {{status}}',
          { unit: 'reqps' },
        ),
        panel(
          'Steps of the canary',
          'Time of each in the last run.',
          'max by (door, step) (pinion_canary_step_seconds)',
          '{{door}} {{step}}',
          { unit: 's' },
        ),
        panel(
          'Failures of the canary',
          'In an hour.',
          'sum by (kind, door, step) (increase(pinion_canary_failures_total[1h]))',
          '{{kind}} {{door}} {{step}}',
        ),
      ],
    },
    {
      title: 'Memory of masters',
      panels: [
        panel(
          'By kind of memory',
          'File and inactive file can be given back, anon cannot.',
          'max by (instance, type) (pinion_master_memory_bytes)',
          '{{instance}} {{type}}',
          { unit: 'bytes' },
        ),
      ],
    },
  ],
};

/** Quotas of projects. */
export const quotaBoard: Board = {
  name: 'pinion-quota',
  title: 'Pinion: quotas and projects',
  description: 'How full quotas are, and when they will be.',
  rows: [
    {
      title: 'Quotas',
      panels: [
        panel(
          'Fullest',
          'The highest peak of seven days over the quota.',
          'topk(20, max by (project, resource) (pinion_quota_used_ratio))',
          '{{project}} {{resource}}',
          { unit: share, concern: 0.92 },
        ),
        panel(
          'Full soonest',
          'Days that are left as usage grows.',
          'bottomk(20, min by (project, resource) (pinion_quota_days_left))',
          '{{project}} {{resource}}',
          { unit: 'd' },
        ),
      ],
    },
    {
      title: 'The watcher',
      panels: [
        figure(
          'Since the last success',
          'It looks every ten minutes.',
          'time() - max by (cluster) (pinion_quota_last_success_timestamp_seconds)',
          '{{cluster}}',
          { unit: 's', concern: 3600 },
        ),
        figure(
          'Projects not looked at',
          'In the last pass.',
          'max by (cluster) (pinion_quota_last_pass_failures)',
          '{{cluster}}',
          { concern: 1 },
        ),
        figure(
          'Namespaces without a quota',
          'None of them is bounded.',
          'max by (cluster) (pinion_quota_unlimited_namespaces)',
          '{{cluster}}',
        ),
      ],
    },
  ],
};

/** Workloads by kind and by whose the trouble is. */
export const workloadBoard: Board = {
  name: 'pinion-workloads',
  title: 'Pinion: workloads',
  description: 'Workloads by kind, by readiness, and by who can act.',
  rows: [
    {
      title: 'Workloads',
      panels: [
        figure('All', 'By kind.', `max by (kind) (sum by (instance, kind) (${own('pinion_workloads')}))`, '{{kind}}'),
        panel(
          'Not ready',
          'By whom they wait for: platform, application, quota, capacity.',
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
          'Passes by kind',
          'How often their documents are looked at.',
          'sum by (kind) (kind_result:pinion_reconcile_total:rate5m)',
          '{{kind}}',
          { unit: 'ops' },
        ),
      ],
    },
  ],
};
