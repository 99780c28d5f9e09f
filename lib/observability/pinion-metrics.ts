import { type Component, type Metric } from './metric';

type Row = readonly [
  name: string,
  type: Metric['type'],
  labels: readonly string[],
  tells: string,
  more?: Pick<Metric, 'appears'>,
];

const metricsOf = (component: Component, rows: readonly Row[]): Metric[] =>
  rows.map(([name, type, labels, tells, more]) => ({ name, type, labels, component, tells, ...more }));

/** What pinion's own programs say; those of the controller's client carry the names of client-go. */
export const pinionMetrics: readonly Metric[] = [
  ...metricsOf('pinion-controller', [
    ['pinion_reconcile_total', 'counter', ['kind', 'result'], 'passes over documents'],
    ['pinion_reconcile_time_seconds', 'histogram', ['kind'], 'time of a pass'],
    ['pinion_mirrored_objects', 'gauge', ['kind'], 'objects of the cluster that are kept in memory'],
    [
      'pinion_workloads',
      'gauge',
      ['kind', 'ready', 'owner'],
      'workloads by whether they are ready, and whose the trouble is',
      { appears: 'the first workload exists' },
    ],
    ['leader_election_master_status', 'gauge', ['name'], 'whether the process leads'],
    ['workqueue_depth', 'gauge', ['name'], 'keys that are due and have no worker'],
    ['workqueue_adds_total', 'counter', ['name'], 'keys that became due'],
    [
      'workqueue_retries_total',
      'counter',
      ['name'],
      'keys that came back after a failure',
      { appears: 'a pass fails' },
    ],
    ['workqueue_queue_duration_seconds', 'histogram', ['name'], 'how long a due key waited for a worker'],
    [
      'workqueue_longest_running_processor_seconds',
      'gauge',
      ['name'],
      'how long the oldest key under work is worked on',
    ],
    [
      'reflector_silent_watches_total',
      'counter',
      ['name'],
      'watches that were given up because nothing came',
      { appears: 'a watch is given up' },
    ],
    [
      'reflector_broken_objects_total',
      'counter',
      ['name'],
      'versions of objects that were set aside',
      { appears: 'an object cannot be read' },
    ],
    ['rest_client_requests_total', 'counter', ['code', 'method', 'host'], 'requests of the controller'],
    [
      'rest_client_rate_limiter_duration_seconds',
      'histogram',
      ['verb', 'host'],
      "how long requests waited for the client's own rate",
    ],
    ['process_resident_memory_bytes', 'gauge', [], 'memory of the process'],
  ]),
  ...metricsOf('pinion-registrar', [
    ['pinion_registrar_app_ready', 'gauge', [], 'whether the app is judged ready'],
    ['pinion_registrar_registered', 'gauge', [], 'whether its entry is known to be there'],
    ['pinion_registrar_connected', 'gauge', [], 'whether there is a connection to ZooKeeper'],
    ['pinion_registrar_sessions_expired_total', 'counter', [], 'sessions that ZooKeeper ended'],
    ['pinion_registrar_changes_refused_total', 'counter', [], 'changes that ZooKeeper refused'],
  ]),
  ...metricsOf('pinion-quota', [
    [
      'pinion_quota_last_success_timestamp_seconds',
      'gauge',
      [],
      'when a pass last ended without a failure',
      { appears: 'the first pass without a failure' },
    ],
    ['pinion_quota_last_pass_failures', 'gauge', [], 'projects that the last pass could not look at'],
    ['pinion_quota_unlimited_namespaces', 'gauge', [], 'namespaces without any quota'],
    [
      'pinion_quota_used_ratio',
      'gauge',
      ['project', 'resource'],
      'highest peak of seven days over the quota',
      { appears: 'a project has a quota and a sample' },
    ],
    [
      'pinion_quota_days_left',
      'gauge',
      ['project', 'resource'],
      'days until the quota is full, as usage grows',
      { appears: 'usage of a project grows over days' },
    ],
  ]),
  ...metricsOf('pinion-canary', [
    [
      'pinion_canary_last_success_timestamp_seconds',
      'gauge',
      ['kind', 'door'],
      'when a run through this door last did all its steps',
    ],
    ['pinion_canary_step_seconds', 'gauge', ['kind', 'door', 'step'], 'time of a step in the last run'],
    ['pinion_canary_failures_total', 'counter', ['kind', 'door', 'step'], 'steps that failed'],
  ]),
  ...metricsOf('pinion-submission', [
    [
      'pinion_submission_requests_total',
      'counter',
      ['operation', 'status'],
      'requests that were answered, by the status of HTTP',
      { appears: 'the first request' },
    ],
    [
      'pinion_submission_request_duration_seconds',
      'histogram',
      ['operation'],
      'time of requests that do not follow',
      { appears: 'the first request' },
    ],
  ]),
  ...metricsOf('pinion-master-memory', [
    [
      'pinion_master_memory_bytes',
      'gauge',
      ['type'],
      "memory of the API server's cgroup: anon, file, inactive, current, limit",
    ],
  ]),
];
