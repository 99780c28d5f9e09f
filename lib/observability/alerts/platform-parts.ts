import { type AlertGroup } from '../alert';
import { jobs, quantileBy } from '../terms';

const runs = { look: 'what the last runs say', command: 'kubectl get pcj,jobs -A | grep canary' };
const again = { look: 'whether it fails now too, and where', command: 'pinion canary run' };
const service = { look: 'whether its pods run', command: 'kubectl get psvc -A | grep submission' };

/** The canary, which uses every door. */
export const canaryAlerts: AlertGroup = {
  name: 'pinion-canary',
  alerts: [
    {
      name: 'PinionCanaryFailing',
      owner: 'platform',
      summary: 'The canary does not get through a door of the platform.',
      description:
        '{{ $labels.kind }} through door {{ $labels.door }} last worked {{ $value | humanizeDuration }} ago.',
      means: 'App teams who go through that door now fail at the same step.',
      checks: [
        again,
        runs,
        { look: 'which step fails', command: 'kubectl get events -A --field-selector=type=Warning' },
      ],
      mend: 'The step names the part: see its own alert, which often fires too.',
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: 'time() - max by (cluster, kind, door) (pinion_canary_last_success_timestamp_seconds) > 3600',
        },
      ],
    },
    {
      name: 'PinionCanaryStepFails',
      owner: 'platform',
      summary: 'A step of the canary fails.',
      description:
        'Step {{ $labels.step }} of {{ $labels.kind }} through door {{ $labels.door }} failed {{ $value | humanize }} times in 30 minutes.',
      means: 'It failed in two runs or more: no accident.',
      checks: [again, runs, { look: 'what changed lately', command: 'kubectl get platforms,runtimeprofiles' }],
      mend: 'Take the last change of the platform back, or mend the part that the step names.',
      when: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, kind, door, step) (increase(pinion_canary_failures_total[30m])) > 1.5',
        },
      ],
    },
    {
      name: 'PinionCanarySlow',
      owner: 'platform',
      summary: 'A step of the canary takes long.',
      description:
        'Step {{ $labels.step }} of {{ $labels.kind }} through door {{ $labels.door }} takes {{ $value | humanizeDuration }}.',
      means: 'It needs most of the two minutes that it may take, and app teams wait.',
      checks: [
        again,
        { look: 'whether pods wait for nodes', command: 'pinion nodes' },
        { look: 'whether the API server is slow', command: "kubectl get --raw '/readyz?verbose'" },
      ],
      mend: 'Ready late: images, nodes or quota. Refused late: webhooks or the controller.',
      when: [
        {
          severity: 'warning',
          for: '15m',
          expr: 'max by (cluster, kind, door, step) (pinion_canary_step_seconds) > 90',
        },
      ],
    },
    {
      name: 'PinionCanaryAbsent',
      owner: 'platform',
      summary: 'No canary runs in the cluster.',
      description: 'No run of the canary has told of itself for an hour.',
      means: 'A broken part of the platform is found by an app team first.',
      checks: [
        runs,
        { look: 'whether its CronJob is suspended', command: 'kubectl get cronjobs -A | grep canary' },
        again,
      ],
      mend: 'Mend what keeps its pods from starting, or give it `CANARY_PUSHGATEWAY_URL` (docs/canary.md) and have Prometheus scrape that. Where there is to be none, `pinion rules --without pinion-canary` leaves its alerts out.',
      when: [{ severity: 'warning', for: '1h', expr: 'absent(pinion_canary_last_success_timestamp_seconds)' }],
    },
  ],
};

/** The submission service. */
export const submissionAlerts: AlertGroup = {
  name: 'pinion-submission',
  alerts: [
    {
      name: 'PinionSubmissionDown',
      owner: 'platform',
      summary: 'No submission service answers.',
      description: 'Prometheus has reached no submission service for 5 minutes.',
      means: 'Nobody deploys by the command line or the page. What runs goes on.',
      checks: [
        service,
        {
          look: 'what it says',
          command: 'kubectl -n pinion-submission logs -l app.kubernetes.io/name=submission --tail=50',
        },
        { look: 'whether the canary comes through', command: 'pinion canary run' },
      ],
      mend: 'Its state is in the cluster and in the artifact store: it may be started anew at any time. Where it runs, Prometheus does not scrape it (docs/observability.md); where there is to be none, `pinion rules --without pinion-submission` leaves its alerts out.',
      when: [{ severity: 'critical', for: '5m', expr: `absent(up{${jobs.submission}} == 1)` }],
    },
    {
      name: 'PinionSubmissionErrors',
      owner: 'platform',
      summary: 'Requests to the submission service fail.',
      description: '{{ $value | humanizePercentage }} of {{ $labels.operation }} requests fail.',
      means: 'A refusal for quota or rights is not among them: these are errors of the service.',
      checks: [
        {
          look: 'what it says',
          command: 'kubectl -n pinion-submission logs -l app.kubernetes.io/name=submission --tail=50',
        },
        { look: 'whether the artifact store answers', command: 'pinion artifact list --store PLACE' },
        { look: 'whether the API server answers', command: "kubectl get --raw '/readyz?verbose'" },
      ],
      mend: 'Mend the store or the API server; deployments that were begun go on by themselves.',
      when: [
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
      summary: 'The submission service answers slowly.',
      description: '99% of {{ $labels.operation }} requests take up to {{ $value | humanizeDuration }}.',
      means: 'People wait, and clients give up.',
      checks: [
        service,
        { look: 'whether the API server is slow', command: "kubectl get --raw '/readyz?verbose'" },
        { look: 'whether the artifact store is slow', command: 'pinion artifact list --store PLACE' },
      ],
      mend: 'More replicas where its CPU is used up; else what it waits for.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, operation', 'pinion_submission_request_duration_seconds', jobs.submission)} > 5`,
        },
      ],
    },
  ],
};
