import { type RuleCase } from './rule-case';
import { grows, type Series, spread, stays, turns } from './series';

const member = { job: 'etcd', instance: 'control-plane-a:2381' };
const gibibyte = 2 ** 30;
const warning = 'warning';
const critical = 'critical';

const members = (...ups: readonly number[]): Series[] =>
  ups.map((up, index) => stays('up', { job: 'etcd', instance: `control-plane-${'abc'[index]}:2381` }, up));

const gauge = (
  alert: string,
  name: string,
  at: number,
  bad: number,
  good: number,
  severity: RuleCase['severity'] = warning,
): RuleCase => ({
  alert,
  severity,
  at,
  fires: [stays(name, member, bad)],
  quiet: [stays(name, member, good)],
});

const counter = (alert: string, name: string, at: number, bad: number, good: number): RuleCase => ({
  alert,
  severity: warning,
  at,
  fires: [grows(name, member, bad)],
  quiet: [grows(name, member, good)],
});

const size = 'etcd_mvcc_db_total_size_in_bytes';
const quota = stays('etcd_server_quota_backend_bytes', member, 8 * gibibyte);
const fullTo = (severity: RuleCase['severity'], bad: number, good: number): RuleCase => ({
  alert: 'etcdDatabaseQuotaLowSpace',
  severity,
  at: 10,
  fires: [stays(size, member, bad * 8 * gibibyte), quota],
  quiet: [stays(size, member, good * 8 * gibibyte), quota],
});

const slowDisk = (
  alert: string,
  name: string,
  severity: RuleCase['severity'],
  bounds: readonly [number, number],
): RuleCase => ({
  alert,
  severity,
  at: 20,
  fires: spread(name, member, { bounds, within: 0.9 }),
  quiet: spread(name, member, { bounds: [bounds[0] / 2, bounds[1]], within: 0.995 }),
});

const calls = (code: string, failed: number): Series[] =>
  [
    ['OK', 100 - failed],
    [code, failed],
  ].map(([grpc_code, perSecond]) =>
    grows(
      'grpc_server_handled_total',
      {
        ...member,
        grpc_service: 'etcdserverpb.KV',
        grpc_method: 'Txn',
        grpc_type: 'unary',
        grpc_code: String(grpc_code),
      },
      Number(perSecond),
    ),
  );

/** Cases of the group etcd. */
export const etcdCases: readonly RuleCase[] = [
  { alert: 'etcdMembersDown', severity: warning, at: 6, fires: members(1, 1, 0), quiet: members(1, 1, 1) },
  { alert: 'etcdInsufficientMembers', severity: critical, at: 5, fires: members(1, 0, 0), quiet: members(1, 1, 0) },
  gauge('etcdNoLeader', 'etcd_server_has_leader', 3, 0, 1, critical),
  {
    alert: 'etcdHighNumberOfLeaderChanges',
    severity: warning,
    at: 25,
    fires: [grows('etcd_server_leader_changes_seen_total', member, 0.006)],
    quiet: [turns('etcd_server_leader_changes_seen_total', member, 1, 3, 10)],
  },
  counter('etcdHighNumberOfFailedProposals', 'etcd_server_proposals_failed_total', 25, 0.02, 0.004),
  gauge('etcdProposalsPending', 'etcd_server_proposals_pending', 6, 300, 50),
  slowDisk('etcdHighFsyncDurations', 'etcd_disk_wal_fsync_duration_seconds', warning, [0.512, 1.024]),
  slowDisk('etcdHighFsyncDurations', 'etcd_disk_wal_fsync_duration_seconds', critical, [1.024, 2.048]),
  slowDisk('etcdHighCommitDurations', 'etcd_disk_backend_commit_duration_seconds', warning, [0.256, 0.512]),
  counter('etcdSlowApplies', 'etcd_server_slow_apply_total', 20, 3, 0.5),
  fullTo('info', 0.65, 0.55),
  fullTo(warning, 0.85, 0.75),
  fullTo(critical, 0.97, 0.9),
  {
    alert: 'etcdDatabaseGrowthFast',
    severity: critical,
    at: 15,
    // From 2 GiB at 5 MB a second: 6 GiB are left, which is 1,288 s at the start.
    fires: [grows(size, member, 5e6, 2 * gibibyte), quota],
    // The same growth in a small file: a new cluster is being filled.
    quiet: [grows(size, member, 1e6, 0.1 * gibibyte), quota],
  },
  {
    alert: 'etcdExcessiveDatabaseGrowth',
    severity: warning,
    at: 60,
    fires: [grows(size, member, 0.5e6, 3 * gibibyte), quota],
    quiet: [grows(size, member, 0.1e6, 3 * gibibyte), quota],
  },
  {
    alert: 'etcdDatabaseHighFragmentationRatio',
    severity: warning,
    at: 15,
    fires: [stays(size, member, gibibyte), stays('etcd_mvcc_db_total_size_in_use_in_bytes', member, 0.3 * gibibyte)],
    // A small file may be mostly free.
    quiet: [
      stays(size, member, 0.05 * gibibyte),
      stays('etcd_mvcc_db_total_size_in_use_in_bytes', member, 0.01 * gibibyte),
    ],
  },
  gauge('etcdWatchEventsDelayed', 'etcd_debugging_mvcc_pending_events_total', 6, 5000, 200),
  gauge('etcdSlowWatchers', 'etcd_debugging_mvcc_slow_watcher_total', 11, 9, 2),
  {
    alert: 'etcdHighNumberOfFailedGRPCRequests',
    severity: warning,
    at: 20,
    fires: calls('Unavailable', 2),
    quiet: calls('Unavailable', 0.5),
  },
  {
    alert: 'etcdHighNumberOfFailedGRPCRequests',
    severity: critical,
    at: 15,
    fires: calls('ResourceExhausted', 10),
    // A failed compare, or a watch that its client ends, is not a failure.
    quiet: calls('Canceled', 10),
  },
];
