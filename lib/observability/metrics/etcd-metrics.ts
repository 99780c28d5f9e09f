import { type Metric } from './metric';

const component = 'etcd';
const metric = (name: string, type: Metric['type'], description: string, more: Partial<Metric> = {}): Metric => ({
  name,
  type,
  labels: [],
  component,
  description,
  ...more,
});

/** Metrics of etcd members, with the same names in 3.5 and 3.6. */
export const etcdMetrics: readonly Metric[] = [
  metric('etcd_server_has_leader', 'gauge', 'whether the member knows a leader'),
  metric('etcd_server_is_leader', 'gauge', 'whether the member leads'),
  metric('etcd_server_leader_changes_seen_total', 'counter', 'leader changes that the member has seen'),
  metric('etcd_server_proposals_pending', 'gauge', 'pending proposals'),
  metric('etcd_server_proposals_failed_total', 'counter', 'failed proposals'),
  metric('etcd_server_proposals_committed_total', 'gauge', 'committed proposals'),
  metric('etcd_server_slow_apply_total', 'counter', 'requests that took more than 100 ms to apply'),
  metric('etcd_server_quota_backend_bytes', 'gauge', 'database size at which writes are rejected'),
  metric('etcd_mvcc_db_total_size_in_bytes', 'gauge', 'size of the database file', {
    replaces: ['etcd_debugging_mvcc_db_total_size_in_bytes'],
  }),
  metric('etcd_mvcc_db_total_size_in_use_in_bytes', 'gauge', 'size of the used pages of the database file'),
  metric('etcd_debugging_mvcc_events_total', 'counter', 'watch events sent'),
  metric('etcd_debugging_mvcc_pending_events_total', 'gauge', 'pending watch events'),
  metric('etcd_debugging_mvcc_slow_watcher_total', 'gauge', 'watchers that are behind'),
  metric('etcd_debugging_mvcc_watcher_total', 'gauge', 'watchers'),
  metric('etcd_disk_wal_fsync_duration_seconds', 'histogram', 'duration of WAL fsyncs'),
  metric('etcd_disk_backend_commit_duration_seconds', 'histogram', 'duration of backend commits'),
  {
    name: 'grpc_server_handled_total',
    type: 'counter',
    labels: ['grpc_service', 'grpc_method', 'grpc_type', 'grpc_code'],
    component,
    description: 'finished gRPC requests, by status code',
  },
];
