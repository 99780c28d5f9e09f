import { type Metric } from './metric';

const component = 'etcd';
const one = (name: string, type: Metric['type'], tells: string, more: Partial<Metric> = {}): Metric => ({
  name,
  type,
  labels: [],
  component,
  tells,
  ...more,
});

/** What a member of etcd says of itself; 3.5 and 3.6 name all of these alike. */
export const etcdMetrics: readonly Metric[] = [
  one('etcd_server_has_leader', 'gauge', 'whether the member knows a leader'),
  one('etcd_server_is_leader', 'gauge', 'whether the member leads'),
  one('etcd_server_leader_changes_seen_total', 'counter', 'elections that the member has seen'),
  one('etcd_server_proposals_pending', 'gauge', 'writes that wait for a majority'),
  one('etcd_server_proposals_failed_total', 'counter', 'writes that found no majority'),
  one('etcd_server_proposals_committed_total', 'gauge', 'writes that a majority has'),
  one('etcd_server_slow_apply_total', 'counter', 'writes that took more than 100 ms to carry out'),
  one('etcd_server_quota_backend_bytes', 'gauge', 'size of the database from which writes are refused'),
  one('etcd_mvcc_db_total_size_in_bytes', 'gauge', 'size of the database file', {
    replaces: ['etcd_debugging_mvcc_db_total_size_in_bytes'],
  }),
  one('etcd_mvcc_db_total_size_in_use_in_bytes', 'gauge', 'the part of it that holds something'),
  one('etcd_debugging_mvcc_events_total', 'counter', 'watch events that were sent'),
  one('etcd_debugging_mvcc_pending_events_total', 'gauge', 'watch events that are delayed'),
  one('etcd_debugging_mvcc_slow_watcher_total', 'gauge', 'watchers that lag behind'),
  one('etcd_debugging_mvcc_watcher_total', 'gauge', 'watchers'),
  one('etcd_disk_wal_fsync_duration_seconds', 'histogram', 'time until a write to the log is on the disk'),
  one('etcd_disk_backend_commit_duration_seconds', 'histogram', 'time until a batch is in the database file'),
  {
    name: 'grpc_server_handled_total',
    type: 'counter',
    labels: ['grpc_service', 'grpc_method', 'grpc_type', 'grpc_code'],
    component,
    tells: 'calls that were answered, by how they ended',
  },
];
