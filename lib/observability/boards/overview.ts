import { jobs } from '../promql';
import { type Board, stat, panel } from './board';

const share = 'percentunit';

/** Dashboard that answers the first five questions of an incident. */
export const overviewBoard: Board = {
  name: 'pinion-overview',
  title: 'Pinion: overview',
  description:
    'The first five questions of an incident: is it up, is it slow, is it full, what loads it, does the platform work.',
  rows: [
    {
      title: '1. Is it up?',
      panels: [
        stat(
          'API servers up',
          'One per control plane node.',
          `sum by (cluster) (up{${jobs.apiServer}})`,
          '{{cluster}}',
        ),
        stat('etcd members up', 'Writes need a quorum.', `sum by (cluster, job) (up{${jobs.etcd}})`, '{{job}}'),
        stat(
          'Error budget burn rate over one hour',
          'At 1 the budget lasts 30 days, at 14 two days.',
          'sum by (cluster, verb) (apiserver_request:burnrate1h) / 0.01',
          '{{verb}}',
          { threshold: 14.4 },
        ),
        panel(
          'Errors and rejections',
          'Responses with 5xx and 429.',
          'sum by (cluster, code) (code_verb:apiserver_request_total:rate5m{code=~"5..|429"})',
          '{{code}}',
          { unit: 'reqps' },
        ),
      ],
    },
    {
      title: '2. Is it slow?',
      panels: [
        panel(
          'Slowest writes',
          'Without webhooks and queueing; the objective is 1 s.',
          'topk(5, cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{kind="write"})',
          '{{verb}} {{resource}}',
          { unit: 's', threshold: 1 },
        ),
        panel(
          'Slowest reads',
          'Objectives: 1 s for an object, 5 s for a namespace, 30 s for a cluster.',
          'topk(5, cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{kind="read"})',
          '{{verb}} {{resource}} {{scope}}',
          { unit: 's' },
        ),
        panel(
          'etcd WAL fsync',
          '99th percentile; 10 ms is healthy.',
          `histogram_quantile(0.99, sum by (instance, le) (rate(etcd_disk_wal_fsync_duration_seconds_bucket{${jobs.etcd}}[5m])))`,
          '{{instance}}',
          { unit: 's', threshold: 0.5 },
        ),
      ],
    },
    {
      title: '3. Is it full?',
      panels: [
        panel(
          'Seats in use',
          'At 1 requests are queued.',
          'instance:apiserver_flowcontrol_seats:ratio',
          '{{instance}}',
          {
            unit: share,
            threshold: 0.8,
          },
        ),
        panel(
          'Database size relative to the quota',
          'At 1 every write is rejected.',
          'instance:etcd_database_quota:ratio',
          '{{job}} {{instance}}',
          { unit: share, threshold: 0.8 },
        ),
        panel(
          'API server memory relative to the limit',
          'Anonymous memory cannot be reclaimed.',
          'max by (instance) (pinion_apiserver_memory_bytes{type="anon"}) / max by (instance) (pinion_apiserver_memory_bytes{type="limit"})',
          '{{instance}}',
          { unit: share, threshold: 0.8 },
        ),
      ],
    },
    {
      title: '4. What loads it?',
      panels: [
        panel(
          'Requests',
          'The ten highest request rates; `pinion clients` names the clients.',
          'topk(10, resource_verb:apiserver_request_total:rate5m)',
          '{{verb}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'List response bytes',
          'A few lists can cost more than all other requests.',
          'topk(5, resource:apiserver_list_response_bytes:rate5m)',
          '{{resource}}',
          { unit: 'Bps', threshold: 50e6 },
        ),
        panel(
          'Rejections by flow schema',
          'Requests rejected with 429.',
          'topk(5, flow_schema_priority_level_reason:apiserver_flowcontrol_rejected_requests_total:rate5m)',
          '{{flow_schema}} {{reason}}',
          { unit: 'reqps' },
        ),
      ],
    },
    {
      title: '5. Does the platform work?',
      panels: [
        stat(
          'Leading controllers',
          'Exactly one.',
          `sum by (cluster) (leader_election_master_status{${jobs.controller}})`,
          '{{cluster}}',
        ),
        stat(
          'Workloads not ready',
          'By the owner of the cause.',
          `sum by (cluster, owner) (pinion_workloads{${jobs.controller},ready!="True"})`,
          '{{owner}}',
        ),
        stat(
          'Time since the last canary success',
          'The oldest by kind and deployment path.',
          'topk(3, time() - pinion_canary_last_success_timestamp_seconds)',
          '{{kind}} {{deployment_path}}',
          { unit: 's', threshold: 3600 },
        ),
        stat(
          'Highest quota usage',
          'Highest usage of seven days.',
          'topk(3, pinion_quota_used_ratio)',
          '{{project}} {{resource}}',
          { unit: share, threshold: 0.92 },
        ),
      ],
    },
  ],
};
