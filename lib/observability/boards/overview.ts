import { jobs } from '../terms';
import { type Board, figure, panel } from './board';

const share = 'percentunit';

/** The first five questions of whoever is called. */
export const overviewBoard: Board = {
  name: 'pinion-overview',
  title: 'Pinion: overview',
  description:
    'The first five questions: does it answer, is it slow, is it full, who loads it, does the platform work.',
  rows: [
    {
      title: '1. Does it answer?',
      panels: [
        figure(
          'API servers that answer',
          'As many as there are masters.',
          `sum by (cluster) (up{${jobs.apiServer}})`,
          '{{cluster}}',
        ),
        figure(
          'Members of etcd that answer',
          'A majority is needed to write.',
          `sum by (cluster, job) (up{${jobs.etcd}})`,
          '{{job}}',
        ),
        figure(
          'Budget burnt in the last hour',
          'At 1 it lasts thirty days, at 14 two.',
          'sum by (cluster, verb) (apiserver_request:burnrate1h) / 0.01',
          '{{verb}}',
          { concern: 14.4 },
        ),
        panel(
          'Errors and refusals',
          'Answers of the server with 5xx and 429.',
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
          'Without webhooks and waiting; 1 s is the objective.',
          'topk(5, cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{kind="write"})',
          '{{verb}} {{resource}}',
          { unit: 's', concern: 1 },
        ),
        panel(
          'Slowest reads',
          'Objectives: 1 s for an object, 5 s for a namespace, 30 s for a cluster.',
          'topk(5, cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{kind="read"})',
          '{{verb}} {{resource}} {{scope}}',
          { unit: 's' },
        ),
        panel(
          'Disk of etcd',
          '99% of writes to the log; 10 ms is right.',
          `histogram_quantile(0.99, sum by (instance, le) (rate(etcd_disk_wal_fsync_duration_seconds_bucket{${jobs.etcd}}[5m])))`,
          '{{instance}}',
          { unit: 's', concern: 0.5 },
        ),
      ],
    },
    {
      title: '3. Is it full?',
      panels: [
        panel('Seats', 'From 1 on requests wait.', 'instance:apiserver_flowcontrol_seats:ratio', '{{instance}}', {
          unit: share,
          concern: 0.8,
        }),
        panel(
          'Databases against their quota',
          'At 1 every write is refused.',
          'instance:etcd_database_quota:ratio',
          '{{job}} {{instance}}',
          { unit: share, concern: 0.8 },
        ),
        panel(
          'Memory of API servers against their limit',
          'Anonymous memory cannot be given back.',
          'max by (instance) (pinion_master_memory_bytes{type="anon"}) / max by (instance) (pinion_master_memory_bytes{type="limit"})',
          '{{instance}}',
          { unit: share, concern: 0.8 },
        ),
      ],
    },
    {
      title: '4. Who loads it?',
      panels: [
        panel(
          'Requests',
          'The ten that are most; who sends them is in `pinion load`.',
          'topk(10, resource_verb:apiserver_request_total:rate5m)',
          '{{verb}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'Bytes of lists',
          'A few lists may be more work than all the rest.',
          'topk(5, resource:apiserver_list_response_bytes:rate5m)',
          '{{resource}}',
          { unit: 'Bps', concern: 50e6 },
        ),
        panel(
          'Refused by flow schema',
          'Who is answered with 429.',
          'topk(5, flow_schema_priority_level_reason:apiserver_flowcontrol_rejected_requests_total:rate5m)',
          '{{flow_schema}} {{reason}}',
          { unit: 'reqps' },
        ),
      ],
    },
    {
      title: '5. Does the platform work?',
      panels: [
        figure(
          'Controllers that lead',
          'Exactly one.',
          `sum by (cluster) (leader_election_master_status{${jobs.controller}})`,
          '{{cluster}}',
        ),
        figure(
          'Workloads that are not ready',
          'By whom they wait for.',
          `sum by (cluster, owner) (pinion_workloads{${jobs.controller},ready!="True"})`,
          '{{owner}}',
        ),
        figure(
          'Since the canary last worked',
          'By kind and door, the oldest.',
          'topk(3, time() - pinion_canary_last_success_timestamp_seconds)',
          '{{kind}} {{door}}',
          { unit: 's', concern: 3600 },
        ),
        figure(
          'Fullest quotas',
          'The highest peak of seven days.',
          'topk(3, pinion_quota_used_ratio)',
          '{{project}} {{resource}}',
          { unit: share, concern: 0.92 },
        ),
      ],
    },
  ],
};
