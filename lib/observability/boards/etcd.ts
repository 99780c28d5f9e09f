import { jobs, quantileBy } from '../promql';
import { type Board, stat, panel } from './board';

const rate = (counter: string): string => `rate(${counter}{${jobs.etcd}}[5m])`;
const gauge = (name: string): string => `${name}{${jobs.etcd}}`;
const memberLegend = '{{job}} {{instance}}';

/** Dashboard of etcd by member. */
export const etcdBoard: Board = {
  name: 'pinion-etcd',
  title: 'Pinion: etcd',
  description: 'Members, size and growth, disk, writes and watches of etcd.',
  rows: [
    {
      title: 'Members',
      panels: [
        stat('Leader', 'One per etcd cluster.', `${gauge('etcd_server_is_leader')} == 1`, memberLegend),
        stat(
          'Without a leader',
          'Should be zero.',
          `count by (job) (${gauge('etcd_server_has_leader')} == 0) or vector(0)`,
          '{{job}}',
          { threshold: 1 },
        ),
        panel(
          'Leader changes',
          'Over 15 minutes.',
          `increase(etcd_server_leader_changes_seen_total{${jobs.etcd}}[15m])`,
          memberLegend,
          { threshold: 4 },
        ),
      ],
    },
    {
      title: 'Size',
      panels: [
        panel(
          'Database',
          'File size, and how much of it is in use.',
          gauge('etcd_mvcc_db_total_size_in_bytes'),
          memberLegend,
          {
            unit: 'bytes',
            queries: [
              { expr: gauge('etcd_mvcc_db_total_size_in_bytes'), legend: `file ${memberLegend}` },
              { expr: gauge('etcd_mvcc_db_total_size_in_use_in_bytes'), legend: `in use ${memberLegend}` },
              { expr: gauge('etcd_server_quota_backend_bytes'), legend: `quota ${memberLegend}` },
              {
                expr: `apiserver_storage_size_bytes{${jobs.apiServer}}`,
                legend: 'as seen by API servers {{storage_cluster_id}}',
              },
            ],
          },
        ),
        panel(
          'Growth',
          'Bytes per second, over ten minutes and four hours.',
          'instance:etcd_database_growth_bytes:deriv10m',
          memberLegend,
          {
            unit: 'Bps',
            queries: [
              { expr: 'instance:etcd_database_growth_bytes:deriv10m', legend: `10m ${memberLegend}` },
              { expr: 'instance:etcd_database_growth_bytes:deriv4h', legend: `4h ${memberLegend}` },
            ],
          },
        ),
        panel(
          'Time to the quota',
          'At the growth rate of ten minutes and of four hours; empty if the database does not grow.',
          'instance:etcd_database_seconds_to_quota:deriv10m',
          memberLegend,
          {
            unit: 's',
            queries: [
              { expr: 'instance:etcd_database_seconds_to_quota:deriv10m', legend: `10m ${memberLegend}` },
              { expr: 'instance:etcd_database_seconds_to_quota:deriv4h', legend: `4h ${memberLegend}` },
            ],
          },
        ),
      ],
    },
    {
      title: 'Writes',
      panels: [
        panel(
          'Committed proposals',
          'Writes per second.',
          rate('etcd_server_proposals_committed_total'),
          memberLegend,
          {
            unit: 'wps',
          },
        ),
        panel(
          'Pending proposals',
          'Writes that wait for a quorum.',
          gauge('etcd_server_proposals_pending'),
          memberLegend,
          {
            threshold: 100,
          },
        ),
        panel(
          'WAL fsync',
          '99th percentile; 10 ms is healthy.',
          quantileBy(0.99, 'job, instance', 'etcd_disk_wal_fsync_duration_seconds', jobs.etcd),
          memberLegend,
          { unit: 's', threshold: 0.5 },
        ),
        panel(
          'Backend commit',
          '99th percentile; 25 ms is healthy.',
          quantileBy(0.99, 'job, instance', 'etcd_disk_backend_commit_duration_seconds', jobs.etcd),
          memberLegend,
          { unit: 's', threshold: 0.25 },
        ),
      ],
    },
    {
      title: 'Watches',
      panels: [
        panel('Events sent', 'Per second.', rate('etcd_debugging_mvcc_events_total'), memberLegend),
        panel(
          'Events delayed',
          'Events that wait for a slow watcher.',
          gauge('etcd_debugging_mvcc_pending_events_total'),
          memberLegend,
          {
            threshold: 1000,
          },
        ),
        panel(
          'Watchers',
          'All watchers, and those that are behind.',
          gauge('etcd_debugging_mvcc_watcher_total'),
          memberLegend,
          {
            queries: [
              { expr: gauge('etcd_debugging_mvcc_watcher_total'), legend: `all ${memberLegend}` },
              { expr: gauge('etcd_debugging_mvcc_slow_watcher_total'), legend: `behind ${memberLegend}` },
            ],
          },
        ),
      ],
    },
  ],
};
