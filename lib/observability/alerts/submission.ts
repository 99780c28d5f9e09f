import { type AlertGroup } from './alert';
import { jobs, quantileBy } from '../promql';
import { readyzStep } from './diagnosis-steps';

const service = { check: 'whether its pods run', command: 'kubectl get psvc -A | grep submission' };
const log = {
  check: 'its log',
  command: 'kubectl -n pinion-submission logs -l app.kubernetes.io/name=submission --tail=50',
};
const apiServer = readyzStep('whether the API server is ready');

/** Alerts on the submission service. */
export const submissionAlerts: AlertGroup = {
  name: 'pinion-submission',
  alerts: [
    {
      name: 'PinionSubmissionDown',
      owner: 'platform',
      summary: 'The submission service is unreachable.',
      description: 'Prometheus has not been able to scrape any submission service for 5 minutes.',
      impact: 'Deployments through the command line and the page fail. Running workloads are not affected.',
      diagnosis: [service, log, { check: 'whether a canary run succeeds', command: 'pinion canary run' }],
      mitigation:
        'The service keeps its state in the cluster and in the artifact store and can be restarted at any time. If it runs, Prometheus does not scrape it: see docs/observability.md. In a cluster without the service, omit its alerts with `pinion rules --without pinion-submission`.',
      conditions: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.submission}} == 1)` }],
    },
    {
      name: 'PinionSubmissionErrors',
      owner: 'platform',
      summary: 'Requests to the submission service are failing.',
      description: '{{ $value | humanizePercentage }} of {{ $labels.operation }} requests fail.',
      impact: 'Rejections for quota or permissions are not counted: these are internal errors of the service.',
      diagnosis: [
        log,
        { check: 'whether the artifact store is reachable', command: 'pinion artifact list --store LOCATION' },
        apiServer,
      ],
      mitigation: 'Restore the artifact store or the API server; deployments in progress resume automatically.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'sum by (cluster, operation) (operation_status:pinion_submission_requests_total:rate5m{status=~"5.."}) / sum by (cluster, operation) (operation_status:pinion_submission_requests_total:rate5m) > 0.05',
        },
      ],
    },
    {
      name: 'PinionSubmissionSlow',
      owner: 'platform',
      summary: 'The submission service is slow.',
      description: 'The 99th percentile of {{ $labels.operation }} requests is {{ $value | humanizeDuration }}.',
      impact: 'Users wait, and clients time out.',
      diagnosis: [
        service,
        apiServer,
        { check: 'whether the artifact store is slow', command: 'pinion artifact list --store LOCATION' },
      ],
      mitigation: 'If its CPU is saturated, add replicas. Otherwise find the dependency that it waits for.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, operation', 'pinion_submission_request_duration_seconds', jobs.submission)} > 5`,
        },
      ],
    },
  ],
};
