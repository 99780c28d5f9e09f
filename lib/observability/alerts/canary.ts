import { type AlertGroup } from './alert';
import { readyzStep } from './diagnosis-steps';

const runs = { check: 'the last runs of the canary', command: 'kubectl get pcj,jobs -A | grep canary' };
const newRun = { check: 'whether a run fails now, and at which step', command: 'pinion canary run' };

/** Alerts on the canary, which deploys through every deployment path. */
export const canaryAlerts: AlertGroup = {
  name: 'pinion-canary',
  alerts: [
    {
      name: 'PinionCanaryFailing',
      owner: 'platform',
      summary: 'The canary is failing.',
      description:
        'The last successful canary run of {{ $labels.kind }} through deployment path {{ $labels.deployment_path }} was {{ $value | humanizeDuration }} ago.',
      impact: 'Deployments of application teams through this path fail at the same step.',
      diagnosis: [
        newRun,
        runs,
        { check: 'which step fails', command: 'kubectl get events -A --field-selector=type=Warning' },
      ],
      mitigation: 'The failed step names the component: see its own alert, which is often firing too.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: 'time() - max by (cluster, kind, deployment_path) (pinion_canary_last_success_timestamp_seconds) > 3600',
        },
      ],
    },
    {
      name: 'PinionCanaryStepFailing',
      owner: 'platform',
      summary: 'A canary step is failing repeatedly.',
      description:
        'Step {{ $labels.step }} of {{ $labels.kind }} through deployment path {{ $labels.deployment_path }} failed {{ $value | humanize }} times in 30 minutes.',
      impact: 'The step failed in two or more runs, so this is not a transient error.',
      diagnosis: [
        newRun,
        runs,
        { check: 'recent changes to the platform', command: 'kubectl get platforms,runtimeprofiles' },
      ],
      mitigation: 'Revert the last change of the platform, or repair the component that the step names.',
      conditions: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, kind, deployment_path, step) (increase(pinion_canary_failures_total[30m])) > 1.5',
        },
      ],
    },
    {
      name: 'PinionCanarySlow',
      owner: 'platform',
      summary: 'A canary step is slow.',
      description:
        'Step {{ $labels.step }} of {{ $labels.kind }} through deployment path {{ $labels.deployment_path }} takes {{ $value | humanizeDuration }}.',
      impact: 'The step is close to its timeout of two minutes, and deployments of application teams are slow too.',
      diagnosis: [
        newRun,
        { check: 'whether pods wait for nodes', command: 'pinion nodes' },
        readyzStep('whether the API server is ready'),
      ],
      mitigation:
        'If pods take long to become ready, check images, nodes and quotas. If requests take long to be rejected, check webhooks and the controller.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: 'max by (cluster, kind, deployment_path, step) (pinion_canary_step_duration_seconds) > 90',
        },
      ],
    },
    {
      name: 'PinionCanaryAbsent',
      owner: 'platform',
      summary: 'The canary reports no metrics.',
      description: 'The canary has reported no metrics for an hour.',
      impact: 'A broken part of the platform goes unnoticed until an application team runs into it.',
      diagnosis: [
        runs,
        { check: 'whether its CronJob is suspended', command: 'kubectl get cronjobs -A | grep canary' },
        newRun,
      ],
      mitigation:
        'Fix the pod startup failure, or set `CANARY_PUSHGATEWAY_URL` (docs/canary.md) and have Prometheus scrape that Pushgateway. In a cluster without a canary, omit its alerts with `pinion rules --without pinion-canary`.',
      conditions: [{ severity: 'warning', for: '1h', expr: 'absent(pinion_canary_last_success_timestamp_seconds)' }],
    },
  ],
};
