import { type RuleCase } from './rule-case';
import { ends, grows, type Series, spread, stays, turns } from './series';

const controller = { job: 'pinion-controller', instance: 'controller-a' };
const memory = { job: 'pinion-apiserver-memory', instance: 'control-plane-a' };
const submission = { job: 'pinion-submission', instance: 'submission-a', operation: 'deploy' };
const registrar = { namespace: 'shop', pod: 'cart-1', job: 'pods' };
const run = { job: 'pinion-canary', kind: 'PinterestService', deployment_path: 'controller' };
const project = { job: 'pinion-quota', project: 'shop', resource: 'pods' };
const gibibyte = 2 ** 30;
const warning = 'warning';

const memoryOf = (anon: number, file: number): Series[] =>
  Object.entries({ anon: anon * 16, file: file * 16, inactive: file * 12, limit: 16 }).map(([type, amount]) =>
    stays('pinion_apiserver_memory_bytes', { ...memory, type }, amount * gibibyte),
  );

const absent = (alert: string, job: string): RuleCase => ({
  alert,
  severity: 'critical',
  at: 6,
  fires: [stays('up', { job, instance: 'a' }, 0)],
  quiet: [stays('up', { job, instance: 'a' }, 1)],
});

const passes = (failed: number): Series[] => [
  grows('pinion_reconcile_total', { ...controller, kind: 'PinterestService', result: 'done' }, 10 - failed),
  grows('pinion_reconcile_total', { ...controller, kind: 'PinterestService', result: 'failed' }, failed),
];

const slow = (
  alert: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly [number, number],
  at: number,
  severity: RuleCase['severity'] = warning,
): RuleCase => ({
  alert,
  severity,
  at,
  fires: spread(name, labels, { bounds, within: 0.9 }),
  quiet: spread(name, labels, { bounds, within: 0.995 }),
});

const waiting = (owner: string, ready: string): Series[] => [
  stays('pinion_workloads', { ...controller, kind: 'PinterestService', ready, owner }, 3),
];

const unverified = (reason: string): Series[] => [
  stays('pinion_unverified_workloads', { ...controller, kind: 'PinterestService', reason }, 2),
];

const changedPolicies = (value: number): Series[] => [
  stays(
    'pinion_changed_admission_policies',
    { ...controller, kind: 'ValidatingAdmissionPolicy', name: 'in-use.pinterest.com', change: 'missing' },
    value,
  ),
];

const pushed = (seconds: number): Series =>
  stays('pinion_quota_last_success_timestamp_seconds', { job: 'pinion-quota' }, seconds);

const issueOf = (issue: string, value: number): Series =>
  stays(
    'pinion_workload_issues',
    { ...controller, issue, kind: 'PinterestCronJob', project: 'shop', workload: 'report', on_call: '#shop' },
    value,
  );

/** Returns the case of an alert on an issue of a workload; other issues do not make it fire. */
const issueCase = (alert: string, issue: string, at: number, severity: RuleCase['severity'] = warning): RuleCase => ({
  ...{ alert, severity, at },
  fires: [issueOf(issue, 1)],
  quiet: [issueOf(issue === 'Missed' ? 'Failing' : 'Missed', 1)],
});

/** Cases of the group pinion-workloads. */
export const workloadCases: readonly RuleCase[] = [
  issueCase('PinionCronJobMissed', 'Missed', 11),
  issueCase('PinionCronJobOverlapping', 'Overlapping', 6, 'info'),
  issueCase('PinionCronJobOverdue', 'Overdue', 1),
  issueCase('PinionCronJobFailing', 'Failing', 1),
  issueCase('PinionAutoscalerAtLimit', 'AtMaxReplicas', 16),
];

/** Cases of the groups control-plane and pinion-controller. */
export const controllerCases: readonly RuleCase[] = [
  {
    alert: 'PinionControlPlaneMemoryNearLimit',
    severity: 'critical',
    at: 5,
    fires: memoryOf(0.85, 0.1),
    quiet: memoryOf(0.5, 0.49),
  },
  {
    alert: 'PinionControlPlanePageCacheHigh',
    severity: warning,
    at: 15,
    fires: memoryOf(0.5, 0.45),
    quiet: memoryOf(0.5, 0.3),
  },
  {
    alert: 'PinionControlPlaneMemoryAgentDown',
    severity: warning,
    at: 16,
    fires: [stays('up', memory, 0)],
    quiet: [turns('up', memory, 1, 0, 10)],
  },
  absent('PinionControllerDown', 'pinion-controller'),
  {
    alert: 'PinionControllerNoLeader',
    severity: 'critical',
    at: 12,
    fires: [
      stays('leader_election_master_status', { ...controller, name: 'pinion-controller' }, 0),
      stays('leader_election_master_status', { ...controller, instance: 'controller-b', name: 'pinion-controller' }, 1),
      ends('leader_election_master_status', { ...controller, name: 'pinion-platform-controller' }, 1, 5),
    ],
    quiet: [
      stays('leader_election_master_status', { ...controller, name: 'pinion-platform-controller' }, 1),
      stays('leader_election_master_status', { ...controller, name: 'pinion-controller' }, 0),
      stays('leader_election_master_status', { ...controller, instance: 'controller-b', name: 'pinion-controller' }, 1),
    ],
  },
  { alert: 'PinionReconcileFailing', severity: warning, at: 20, fires: passes(2), quiet: passes(0.5) },
  slow(
    'PinionReconcileSlow',
    'pinion_reconcile_time_seconds',
    { ...controller, kind: 'PinterestService' },
    [5, 30],
    25,
  ),
  slow(
    'PinionWorkqueueLatencyHigh',
    'workqueue_queue_duration_seconds',
    { ...controller, name: 'pinion' },
    [1, 10],
    25,
  ),
  {
    alert: 'PinionWorkqueueStuck',
    severity: warning,
    at: 6,
    fires: [stays('workqueue_longest_running_processor_seconds', { ...controller, name: 'pinion' }, 400)],
    quiet: [stays('workqueue_longest_running_processor_seconds', { ...controller, name: 'pinion' }, 200)],
  },
  {
    alert: 'PinionWatchIdleTimeouts',
    severity: warning,
    at: 40,
    fires: [grows('pinion_watch_idle_timeouts_total', { ...controller, name: 'pods' }, 0.005)],
    quiet: [grows('pinion_watch_idle_timeouts_total', { ...controller, name: 'pods' }, 0.001)],
  },
  {
    alert: 'PinionObjectDecodeErrors',
    severity: warning,
    at: 30,
    fires: [turns('pinion_undecodable_objects_total', { ...controller, name: 'pinterestservices' }, 0, 1, 20)],
    quiet: [stays('pinion_undecodable_objects_total', { ...controller, name: 'pinterestservices' }, 4)],
  },
  {
    alert: 'PinionClientErrors',
    severity: warning,
    at: 20,
    fires: [
      grows('rest_client_requests_total', { ...controller, code: '200', method: 'GET', host: 'api' }, 9),
      grows('rest_client_requests_total', { ...controller, code: '<error>', method: 'GET', host: 'api' }, 1),
    ],
    // A conflict is a normal response.
    quiet: [
      grows('rest_client_requests_total', { ...controller, code: '200', method: 'GET', host: 'api' }, 9),
      grows('rest_client_requests_total', { ...controller, code: '409', method: 'GET', host: 'api' }, 1),
    ],
  },
  slow(
    'PinionClientThrottled',
    'rest_client_rate_limiter_duration_seconds',
    { ...controller, verb: 'PATCH', host: 'api' },
    [1, 2],
    25,
    'info',
  ),
  {
    alert: 'PinionWorkloadsBlockedByPlatform',
    severity: warning,
    at: 16,
    fires: waiting('platform', 'False'),
    quiet: waiting('application', 'False'),
  },
  {
    alert: 'PinionWorkloadsUnverified',
    severity: warning,
    at: 11,
    fires: unverified('OtherWorkload'),
    quiet: unverified('BreakGlass'),
  },
  {
    alert: 'PinionWorkloadsHeld',
    severity: warning,
    at: 6,
    fires: [stays('pinion_held_workloads', { ...controller, kind: 'PinterestService' }, 2)],
    quiet: [stays('pinion_held_workloads', { ...controller, kind: 'PinterestService' }, 0)],
  },
  {
    alert: 'PinionAdmissionPoliciesChanged',
    severity: 'critical',
    at: 6,
    fires: changedPolicies(1),
    quiet: changedPolicies(0),
  },
  {
    alert: 'PinionBreakGlass',
    severity: warning,
    at: 1,
    fires: unverified('BreakGlass'),
    quiet: unverified('OtherWorkload'),
  },
  {
    alert: 'PinionWorkloadsPendingCapacity',
    severity: warning,
    at: 16,
    fires: waiting('capacity', 'False'),
    quiet: waiting('', 'True'),
  },
];

/** Cases of the other components. */
export const platformCases: readonly RuleCase[] = [
  {
    alert: 'PinionPodNotRegistered',
    severity: warning,
    at: 6,
    fires: [stays('pinion_registrar_registered', registrar, 0), stays('pinion_registrar_app_ready', registrar, 1)],
    quiet: [stays('pinion_registrar_registered', registrar, 0), stays('pinion_registrar_app_ready', registrar, 0)],
  },
  {
    alert: 'PinionRegistrarsDisconnected',
    severity: 'critical',
    at: 6,
    fires: [
      stays('pinion_registrar_connected', registrar, 0),
      stays('pinion_registrar_connected', { ...registrar, pod: 'cart-2' }, 1),
    ],
    quiet: Array.from({ length: 10 }, (_, index) =>
      stays('pinion_registrar_connected', { ...registrar, pod: `cart-${index}` }, index === 0 ? 0 : 1),
    ),
  },
  {
    alert: 'PinionRegistrarSessionsExpiring',
    severity: warning,
    at: 60,
    fires: [grows('pinion_registrar_sessions_expired_total', registrar, 0.003)],
    quiet: [grows('pinion_registrar_sessions_expired_total', registrar, 0.001)],
  },
  {
    alert: 'PinionRegistrarWritesRejected',
    severity: warning,
    at: 20,
    fires: [grows('pinion_registrar_changes_refused_total', registrar, 0.01)],
    quiet: [grows('pinion_registrar_changes_refused_total', registrar, 0.001)],
  },
  {
    alert: 'PinionQuotaExhausted',
    severity: warning,
    at: 16,
    fires: [stays('pinion_quota_used_ratio', project, 1)],
    quiet: [stays('pinion_quota_used_ratio', project, 0.95)],
  },
  {
    alert: 'PinionQuotaExhaustionPredicted',
    severity: 'info',
    at: 61,
    fires: [stays('pinion_quota_exhaustion_seconds', project, 4 * 86_400)],
    quiet: [stays('pinion_quota_exhaustion_seconds', project, 20 * 86_400)],
  },
  {
    alert: 'PinionQuotaMonitorStale',
    severity: warning,
    at: 120,
    fires: [pushed(600)],
    quiet: [grows('pinion_quota_last_success_timestamp_seconds', { job: 'pinion-quota' }, 1)],
  },
  {
    alert: 'PinionQuotaMonitorAbsent',
    severity: warning,
    at: 61,
    fires: [stays('up', { job: 'apiserver', instance: 'a' }, 1)],
    quiet: [pushed(600)],
  },
  {
    alert: 'PinionQuotaMonitorFailures',
    severity: warning,
    at: 31,
    fires: [stays('pinion_quota_last_pass_failures', { job: 'pinion-quota' }, 2)],
    quiet: [turns('pinion_quota_last_pass_failures', { job: 'pinion-quota' }, 0, 2, 20)],
  },
  {
    alert: 'PinionNamespacesWithoutQuota',
    severity: 'info',
    at: 61,
    fires: [stays('pinion_quota_unlimited_namespaces', { job: 'pinion-quota' }, 3)],
    quiet: [stays('pinion_quota_unlimited_namespaces', { job: 'pinion-quota' }, 0)],
  },
  {
    alert: 'PinionCanaryFailing',
    severity: 'critical',
    at: 120,
    fires: [stays('pinion_canary_last_success_timestamp_seconds', run, 600)],
    quiet: [grows('pinion_canary_last_success_timestamp_seconds', run, 1)],
  },
  {
    alert: 'PinionCanaryStepFailing',
    severity: warning,
    at: 60,
    fires: [grows('pinion_canary_failures_total', { ...run, step: 'ready' }, 1 / 600)],
    quiet: [turns('pinion_canary_failures_total', { ...run, step: 'ready' }, 0, 1, 50)],
  },
  {
    alert: 'PinionCanarySlow',
    severity: warning,
    at: 16,
    fires: [stays('pinion_canary_step_duration_seconds', { ...run, step: 'ready' }, 110)],
    quiet: [stays('pinion_canary_step_duration_seconds', { ...run, step: 'ready' }, 80)],
  },
  {
    alert: 'PinionCanaryAbsent',
    severity: warning,
    at: 61,
    fires: [stays('up', { job: 'apiserver', instance: 'a' }, 1)],
    quiet: [stays('pinion_canary_last_success_timestamp_seconds', run, 600)],
  },
  absent('PinionSubmissionDown', 'pinion-submission'),
  {
    alert: 'PinionSubmissionErrors',
    severity: warning,
    at: 15,
    fires: [
      grows('pinion_submission_requests_total', { ...submission, status: '200' }, 9),
      grows('pinion_submission_requests_total', { ...submission, status: '503' }, 1),
    ],
    // A rejection for quota is a normal response.
    quiet: [
      grows('pinion_submission_requests_total', { ...submission, status: '200' }, 9),
      grows('pinion_submission_requests_total', { ...submission, status: '403' }, 1),
    ],
  },
  slow('PinionSubmissionSlow', 'pinion_submission_request_duration_seconds', submission, [5, 10], 20),
];
