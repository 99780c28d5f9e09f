import { jobs, quantileBy } from '../terms';
import { type Board, figure, panel } from './board';

const rate = (counter: string): string => `rate(${counter}{${jobs.etcd}}[5m])`;
const gauge = (name: string): string => `${name}{${jobs.etcd}}`;
const each = '{{job}} {{instance}}';

/** etcd by member. */
export const etcdBoard: Board = {
  name: 'pinion-etcd',
  title: 'Pinion: etcd',
  description: 'Members, size and growth, disk, writes and watches of etcd.',
  rows: [
    {
      title: 'Members',
      panels: [
        figure('Leader', 'One of each etcd.', `${gauge('etcd_server_is_leader')} == 1`, each),
        figure(
          'Without a leader',
          'None.',
          `count by (job) (${gauge('etcd_server_has_leader')} == 0) or vector(0)`,
          '{{job}}',
          { concern: 1 },
        ),
        panel(
          'Elections',
          'In fifteen minutes.',
          `increase(etcd_server_leader_changes_seen_total{${jobs.etcd}}[15m])`,
          each,
          { concern: 4 },
        ),
      ],
    },
    {
      title: 'Size',
      panels: [
        panel('Database', 'File and what of it is in use.', gauge('etcd_mvcc_db_total_size_in_bytes'), each, {
          unit: 'bytes',
          queries: [
            { expr: gauge('etcd_mvcc_db_total_size_in_bytes'), legend: `file ${each}` },
            { expr: gauge('etcd_mvcc_db_total_size_in_use_in_bytes'), legend: `in use ${each}` },
            { expr: gauge('etcd_server_quota_backend_bytes'), legend: `quota ${each}` },
            {
              expr: `apiserver_storage_size_bytes{${jobs.apiServer}}`,
              legend: 'as API servers see {{storage_cluster_id}}',
            },
          ],
        }),
        panel(
          'Growth',
          'Bytes a second, over ten minutes and four hours.',
          'instance:etcd_database_growth_bytes:deriv10m',
          each,
          {
            unit: 'Bps',
            queries: [
              { expr: 'instance:etcd_database_growth_bytes:deriv10m', legend: `10m ${each}` },
              { expr: 'instance:etcd_database_growth_bytes:deriv4h', legend: `4h ${each}` },
            ],
          },
        ),
        panel(
          'Time to the quota',
          'At the rate of ten minutes and of four hours; nothing where it does not grow.',
          'instance:etcd_database_seconds_to_quota:deriv10m',
          each,
          {
            unit: 's',
            queries: [
              { expr: 'instance:etcd_database_seconds_to_quota:deriv10m', legend: `10m ${each}` },
              { expr: 'instance:etcd_database_seconds_to_quota:deriv4h', legend: `4h ${each}` },
            ],
          },
        ),
      ],
    },
    {
      title: 'Writes',
      panels: [
        panel('Committed', 'Writes a second.', rate('etcd_server_proposals_committed_total'), each, { unit: 'wps' }),
        panel('Waiting', 'For a majority.', gauge('etcd_server_proposals_pending'), each, { concern: 100 }),
        panel(
          'Log',
          '99% of writes to the disk; 10 ms is right.',
          quantileBy(0.99, 'job, instance', 'etcd_disk_wal_fsync_duration_seconds', jobs.etcd),
          each,
          { unit: 's', concern: 0.5 },
        ),
        panel(
          'Database file',
          '99% of commits; 25 ms is right.',
          quantileBy(0.99, 'job, instance', 'etcd_disk_backend_commit_duration_seconds', jobs.etcd),
          each,
          { unit: 's', concern: 0.25 },
        ),
      ],
    },
    {
      title: 'Watches',
      panels: [
        panel('Events sent', 'A second.', rate('etcd_debugging_mvcc_events_total'), each),
        panel('Events delayed', 'They wait for a watcher.', gauge('etcd_debugging_mvcc_pending_events_total'), each, {
          concern: 1000,
        }),
        panel('Watchers', 'All, and those that lag.', gauge('etcd_debugging_mvcc_watcher_total'), each, {
          queries: [
            { expr: gauge('etcd_debugging_mvcc_watcher_total'), legend: `all ${each}` },
            { expr: gauge('etcd_debugging_mvcc_slow_watcher_total'), legend: `behind ${each}` },
          ],
        }),
      ],
    },
  ],
};
