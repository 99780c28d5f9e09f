import { jobs, quantileBy, rateBy } from '../promql';
import { type Board, panel } from './board';

const fromController = (name: string): string => `${name}{${jobs.controller}}`;

/** Dashboard of pinion's programs. */
export const controllerBoard: Board = {
  name: 'pinion-controller',
  title: 'Pinion: controller and services',
  description: 'The controller, the registrars, the submission service, the canary, and the memory of API servers.',
  rows: [
    {
      title: 'Controller',
      panels: [
        panel('Reconciles', 'By result.', 'sum by (result) (kind_result:pinion_reconcile_total:rate5m)', '{{result}}', {
          unit: 'ops',
        }),
        panel(
          'Reconcile duration',
          '99th percentile by kind.',
          'kind:pinion_reconcile_time_seconds:p99_5m',
          '{{kind}}',
          {
            unit: 's',
            threshold: 5,
          },
        ),
        panel(
          'Work queue',
          'Depth, and rates of added and retried keys.',
          fromController('workqueue_depth'),
          'depth {{name}}',
          {
            queries: [
              { expr: fromController('workqueue_depth'), legend: 'depth {{name}}' },
              { expr: rateBy('name', 'workqueue_adds_total', jobs.controller), legend: 'added/s {{name}}' },
              { expr: rateBy('name', 'workqueue_retries_total', jobs.controller), legend: 'retried/s {{name}}' },
            ],
          },
        ),
        panel(
          'Work queue latency',
          '99th percentile.',
          quantileBy(0.99, 'name', 'workqueue_queue_duration_seconds', jobs.controller),
          '{{name}}',
          { unit: 's', threshold: 5 },
        ),
        panel(
          'API requests',
          'By response code.',
          rateBy('code', 'rest_client_requests_total', jobs.controller),
          '{{code}}',
          { unit: 'reqps' },
        ),
        panel(
          'Memory',
          'Resident memory of each process.',
          fromController('process_resident_memory_bytes'),
          '{{instance}}',
          { unit: 'bytes' },
        ),
        panel(
          'Cached objects',
          'By kind.',
          `topk(10, max by (kind) (${fromController('pinion_cached_objects')}))`,
          '{{kind}}',
        ),
      ],
    },
    {
      title: 'Registrars',
      panels: [
        panel(
          'Registered pods',
          'Share of the pods whose app is ready.',
          'sum by (namespace) (pinion_registrar_registered) / sum by (namespace) (pinion_registrar_app_ready)',
          '{{namespace}}',
          { unit: 'percentunit' },
        ),
        panel(
          'Expired sessions',
          'Over one hour.',
          'sum by (namespace) (increase(pinion_registrar_sessions_expired_total[1h]))',
          '{{namespace}}',
        ),
      ],
    },
    {
      title: 'Submission and canary',
      panels: [
        panel(
          'Submission requests',
          'By operation and status.',
          'operation_status:pinion_submission_requests_total:rate5m',
          '{{operation}} {{status}}',
          { unit: 'reqps' },
        ),
        panel(
          'Canary step duration',
          'Duration in the last run.',
          'max by (deployment_path, step) (pinion_canary_step_duration_seconds)',
          '{{deployment_path}} {{step}}',
          { unit: 's' },
        ),
        panel(
          'Canary step failures',
          'Over one hour.',
          'sum by (kind, deployment_path, step) (increase(pinion_canary_failures_total[1h]))',
          '{{kind}} {{deployment_path}} {{step}}',
        ),
      ],
    },
    {
      title: 'API server memory',
      panels: [
        panel(
          'Memory by type',
          'File cache is reclaimable, anonymous memory is not.',
          'max by (instance, type) (pinion_apiserver_memory_bytes)',
          '{{instance}} {{type}}',
          { unit: 'bytes' },
        ),
      ],
    },
  ],
};
