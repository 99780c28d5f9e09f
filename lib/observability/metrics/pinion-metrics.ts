import { type Metric } from './metric';
import { componentMetrics } from './component-metrics';

const clientRequest = ['project', 'account', 'user_agent', 'verb', 'resource'] as const;
const rolloutAppears = { appearsWhen: 'a change of a Platform with spec.rollouts changes workloads' };
const clientAppears = { appearsWhen: 'the first request' };

/** Metrics of pinion's programs; those of the controller's API client have the names of client-go. */
export const pinionMetrics: readonly Metric[] = [
  ...componentMetrics('pinion-controller', [
    ['pinion_reconcile_total', 'counter', ['kind', 'result'], 'reconciles'],
    ['pinion_reconcile_time_seconds', 'histogram', ['kind'], 'duration of reconciles'],
    ['pinion_cached_objects', 'gauge', ['kind'], 'objects in the cache'],
    [
      'pinion_workloads',
      'gauge',
      ['kind', 'ready', 'owner'],
      'workloads by readiness and by the owner of the cause',
      { appearsWhen: 'the first workload exists' },
    ],
    [
      'pinion_unverified_workloads',
      'gauge',
      ['kind', 'reason'],
      'workloads of protected projects without a trusted proof, by the reason of their condition Verified',
      { appearsWhen: 'a spec in a protected project is refused or bypasses its proof' },
    ],
    [
      'pinion_held_workloads',
      'gauge',
      ['kind'],
      'workloads that stay as they are because the controller alone would change their pods',
      { appearsWhen: 'a version of the controller expands other pod templates from the same inputs' },
    ],
    [
      'pinion_workload_issues',
      'gauge',
      ['issue', 'kind', 'project', 'workload', 'on_call'],
      'workloads with an issue that their readiness does not show: 1 for each, and a count of those beyond 200',
      { appearsWhen: 'a cron job misses a start, fails or takes too long, or an autoscaler reaches its maximum' },
    ],
    [
      'pinion_rollout_phase',
      'gauge',
      ['phase', 'reason', 'rollback'],
      'whether the rollout of the Platform is in a phase: the one in progress, or one that has stopped short of its revision',
      rolloutAppears,
    ],
    ['pinion_rollout_workloads', 'gauge', [], 'workloads that the rollout changes', rolloutAppears],
    [
      'pinion_rollout_state_workloads',
      'gauge',
      ['state'],
      'workloads of the rollout that are completed, in transit, failed and blocked',
      rolloutAppears,
    ],
    [
      'pinion_rollout_progress_timestamp_seconds',
      'gauge',
      [],
      'time of the last release, change of a wave or end of a soak time',
      rolloutAppears,
    ],
    [
      'pinion_rollout_emergency_expiry_timestamp_seconds',
      'gauge',
      [],
      'time at which the emergency of the rollout ends; 0 without one',
      rolloutAppears,
    ],
    [
      'pinion_changed_admission_policies',
      'gauge',
      ['kind', 'name', 'change'],
      'admission policies and bindings of the installation that are missing or changed',
      { appearsWhen: 'an admission policy is missing or changed' },
    ],
    ['leader_election_master_status', 'gauge', ['name'], 'whether the process leads'],
    ['workqueue_depth', 'gauge', ['name'], 'keys that wait for a worker'],
    ['workqueue_adds_total', 'counter', ['name'], 'keys added to the queue'],
    ['workqueue_retries_total', 'counter', ['name'], 'keys that were retried', { appearsWhen: 'a reconcile fails' }],
    ['workqueue_queue_duration_seconds', 'histogram', ['name'], 'time that keys waited for a worker'],
    ['workqueue_longest_running_processor_seconds', 'gauge', ['name'], 'processing time of the oldest key in progress'],
    [
      'pinion_watch_idle_timeouts_total',
      'counter',
      ['name'],
      'watches that timed out idle',
      { appearsWhen: 'a watch times out idle' },
    ],
    [
      'pinion_undecodable_objects_total',
      'counter',
      ['name'],
      'object versions that could not be decoded',
      { appearsWhen: 'an object cannot be decoded' },
    ],
    ['rest_client_requests_total', 'counter', ['code', 'method', 'host'], 'requests of the controller'],
    [
      'rest_client_rate_limiter_duration_seconds',
      'histogram',
      ['verb', 'host'],
      'time that requests waited for the client-side rate limit',
    ],
    ['process_resident_memory_bytes', 'gauge', [], 'resident memory of the process'],
  ]),
  ...componentMetrics('pinion-registrar', [
    ['pinion_registrar_app_ready', 'gauge', [], 'whether the app is ready'],
    ['pinion_registrar_registered', 'gauge', [], 'whether the pod is registered'],
    ['pinion_registrar_connected', 'gauge', [], 'whether the registrar is connected to ZooKeeper'],
    ['pinion_registrar_sessions_expired_total', 'counter', [], 'expired ZooKeeper sessions'],
    ['pinion_registrar_changes_refused_total', 'counter', [], 'writes that ZooKeeper rejected'],
  ]),
  ...componentMetrics('pinion-quota', [
    [
      'pinion_quota_last_success_timestamp_seconds',
      'gauge',
      [],
      'time of the last run without a failure',
      { appearsWhen: 'a run succeeds' },
    ],
    ['pinion_quota_last_pass_failures', 'gauge', [], 'projects that the last run failed for'],
    ['pinion_quota_unlimited_namespaces', 'gauge', [], 'namespaces without a quota'],
    [
      'pinion_quota_used_ratio',
      'gauge',
      ['project', 'resource'],
      'highest usage of seven days relative to the quota',
      { appearsWhen: 'a project has a quota and a sample' },
    ],
    [
      'pinion_quota_exhaustion_seconds',
      'gauge',
      ['project', 'resource'],
      'predicted time until the quota is exhausted',
      { appearsWhen: 'usage of a project grows over days' },
    ],
  ]),
  ...componentMetrics('pinion-canary', [
    [
      'pinion_canary_last_success_timestamp_seconds',
      'gauge',
      ['kind', 'deployment_path'],
      'time of the last successful run through this deployment path',
    ],
    [
      'pinion_canary_step_duration_seconds',
      'gauge',
      ['kind', 'deployment_path', 'step'],
      'duration of a step in the last run',
    ],
    ['pinion_canary_failures_total', 'counter', ['kind', 'deployment_path', 'step'], 'failed steps'],
  ]),
  ...componentMetrics('pinion-submission', [
    [
      'pinion_submission_requests_total',
      'counter',
      ['operation', 'status'],
      'finished requests, by HTTP status',
      { appearsWhen: 'the first request' },
    ],
    [
      'pinion_submission_request_duration_seconds',
      'histogram',
      ['operation'],
      'duration of requests, without streams',
      { appearsWhen: 'the first request' },
    ],
  ]),
  ...componentMetrics('pinion-apiserver-memory', [
    [
      'pinion_apiserver_memory_bytes',
      'gauge',
      ['type'],
      "memory of the API server's cgroup: anon, file, inactive, current, limit",
    ],
  ]),
  ...componentMetrics('pinion-clients', [
    ['pinion_client_requests_total', 'counter', clientRequest, 'requests to the API server', clientAppears],
    ['pinion_client_errors_total', 'counter', clientRequest, 'responses with a status of 400 or above', clientAppears],
    ['pinion_client_request_seconds_total', 'counter', clientRequest, 'duration of requests', clientAppears],
    [
      'pinion_client_seat_seconds_total',
      'counter',
      clientRequest,
      'seats of flow control times seconds',
      clientAppears,
    ],
    [
      'pinion_client_findings',
      'gauge',
      ['practice', ...clientRequest, 'on_call', 'namespace'],
      'requests of clients that violate a practice',
      { appearsWhen: 'a client violates a practice' },
    ],
    ['pinion_client_unreadable_total', 'counter', [], 'audit events that could not be read'],
  ]),
];
