import { type AlertGroup } from '../alert';
import { jobs, quantileBy } from '../terms';

const registrarLog = {
  look: 'what the registrar says',
  command: 'kubectl -n PROJECT logs POD -c pinion-traffic --tail=50',
};
const zookeeper = {
  look: 'whether it has a connection to the ensemble',
  command: 'kubectl get --raw /api/v1/namespaces/PROJECT/pods/POD:19106/proxy/metrics',
};
const app = { look: 'whether the pod is ready', command: 'kubectl -n PROJECT get pod POD' };
const quotas = { look: 'which quotas are full, and since when', command: 'pinion quota status' };
const passes = { look: 'what the last passes say', command: 'kubectl -n pinion-quota get jobs,pods' };
const runs = { look: 'what the last runs say', command: 'kubectl get pcj,jobs -A | grep canary' };
const again = { look: 'whether it fails now too, and where', command: 'pinion canary run' };
const service = { look: 'whether its pods run', command: 'kubectl get psvc -A | grep submission' };

/** The registrar beside workloads. */
export const registrarAlerts: AlertGroup = {
  name: 'pinion-registrar',
  alerts: [
    {
      name: 'PinionRegistrarUnregistered',
      owner: 'platform',
      summary: 'An app is ready and not registered.',
      description: 'Pod {{ $labels.namespace }}/{{ $labels.pod }} is ready and has had no entry for 5 minutes.',
      means: 'Clients that find it by ZooKeeper do not see this pod; the others take its share.',
      checks: [registrarLog, zookeeper, app],
      mend: 'Without a connection: mend the ensemble or the way to it. Refused changes: see PinionRegistrarChangesRefused.',
      when: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'pinion_registrar_registered == 0 and pinion_registrar_app_ready == 1',
        },
      ],
    },
    {
      name: 'PinionRegistrarsDisconnected',
      owner: 'platform',
      summary: 'Many registrars have no connection to ZooKeeper.',
      description: '{{ $value | humanizePercentage }} of the registrars have no connection.',
      means: 'Their entries go once their sessions end; new pods get no traffic.',
      checks: [
        zookeeper,
        registrarLog,
        { look: 'whether a network policy closed the way', command: 'kubectl get networkpolicies -A' },
      ],
      mend: 'Mend the ensemble; registrars connect again by themselves and replace their entries.',
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: '1 - avg by (cluster) (pinion_registrar_connected) > 0.2',
        },
      ],
    },
    {
      name: 'PinionRegistrarSessionsExpire',
      owner: 'platform',
      summary: 'ZooKeeper ends the sessions of registrars again and again.',
      description: '{{ $value | humanize }} sessions of pods of {{ $labels.namespace }} were ended in an hour.',
      means: 'Each time the entry is gone for a moment, and clients lose the pod.',
      checks: [
        registrarLog,
        { look: 'whether the pods are throttled', command: 'kubectl -n PROJECT top pods --containers' },
        zookeeper,
      ],
      mend: 'Give the registrar CPU in the runtime profile, or a longer session.',
      when: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_sessions_expired_total[1h])) > 5',
        },
      ],
    },
    {
      name: 'PinionRegistrarChangesRefused',
      owner: 'platform',
      summary: 'ZooKeeper refuses what registrars write.',
      description: '{{ $value | humanize }} changes of pods of {{ $labels.namespace }} were refused in 15 minutes.',
      means: 'Entries are missing or old.',
      checks: [registrarLog, { look: 'who may write there', command: 'zkCli.sh -server HOST getAcl /PATH' }, app],
      mend: 'Give the account of the registrar the right to create below its path, or correct the path in the Platform.',
      when: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_changes_refused_total[15m])) > 3',
        },
      ],
    },
  ],
};

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
      means: 'It still works, and app teams wait.',
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
          expr: 'max by (cluster, kind, door, step) (pinion_canary_step_seconds) > 300',
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
      mend: 'Install it, or mend what keeps its pods from starting.',
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
      means: 'Nobody deploys by `pinion deploy` or the page. What runs goes on.',
      checks: [
        service,
        {
          look: 'what it says',
          command: 'kubectl logs -A --selector=app.kubernetes.io/name=pinion-submission --tail=50',
        },
        { look: 'whether the canary comes through', command: 'pinion canary run' },
      ],
      mend: 'Its state is in the cluster and in the artifact store: it may be started anew at any time.',
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
          command: 'kubectl logs -A --selector=app.kubernetes.io/name=pinion-submission --tail=50',
        },
        { look: 'whether the artifact store answers', command: 'pinion artifact list' },
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
        { look: 'whether the artifact store is slow', command: 'pinion artifact list' },
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
