import { type AlertGroup } from './alert';
import { jobs, quantileBy } from '../promql';
import { etcdDatabaseAlerts } from './etcd-database';
import {
  apiServerCpuStep,
  apiServerMetricStep,
  auditStep,
  etcdCommands,
  etcdContentsStep,
  etcdStatusStep,
  readyzStep,
} from './diagnosis-steps';

const status = etcdStatusStep();
const contents = etcdContentsStep();
const journal = { check: 'the log of the member', command: 'journalctl -u etcd-main -n 100' };
const disk = { check: 'the utilization of the disk', command: 'iostat -x 5 3' };
const member = '{{ $labels.instance }}';

/** Alerts on etcd: members, elections, disk and watches. */
export const etcdAlerts: AlertGroup = {
  name: 'etcd',
  alerts: [
    {
      name: 'etcdMembersDown',
      owner: 'platform',
      summary: 'Members of etcd are unreachable.',
      description: '{{ $value }} members of {{ $labels.job }} are unreachable.',
      impact:
        'A cluster of three members tolerates the loss of one, not of two. Do not remove anything else while a member is down.',
      diagnosis: [
        status,
        journal,
        {
          check: 'whether the machine exists, with its volume',
          command: 'kubectl get nodes -l node-role.kubernetes.io/control-plane',
        },
      ],
      mitigation:
        'A machine of the cluster stack is replaced automatically and reattaches its volume. If the volume is lost, see "A volume is lost" in docs/cluster.md.',
      conditions: [{ severity: 'warning', for: '5m', expr: `count by (cluster, job) (up{${jobs.etcd}} == 0) > 0` }],
    },
    {
      name: 'etcdInsufficientMembers',
      owner: 'platform',
      summary: 'etcd has lost its quorum.',
      description: 'Only {{ $value }} members of {{ $labels.job }} are up, fewer than a quorum.',
      impact: 'No write and no consistent read succeeds, and the API server is not ready.',
      diagnosis: [
        status,
        journal,
        { check: 'which control plane machines run', command: 'aws autoscaling describe-auto-scaling-groups' },
      ],
      mitigation:
        'Bring a lost member back with its volume. Restore a snapshot only if the volumes of a majority are lost: see docs/cluster.md.',
      conditions: [
        {
          severity: 'critical',
          for: '3m',
          expr: `sum by (cluster, job) (up{${jobs.etcd}} == bool 1) < floor(count by (cluster, job) (up{${jobs.etcd}}) / 2) + 1`,
        },
      ],
    },
    {
      name: 'etcdNoLeader',
      owner: 'platform',
      summary: 'A member of etcd has no leader.',
      description: `Member ${member} has had no leader for a minute.`,
      impact: 'Its API server can neither write nor read consistently.',
      diagnosis: [
        status,
        journal,
        {
          check: 'whether members can reach each other on port 2380',
          command: 'ss -tn state established "( sport = :2380 or dport = :2380 )"',
        },
      ],
      mitigation:
        'If no member has a leader, the quorum is lost: see etcdInsufficientMembers. If one member has none, it is partitioned from the others or its disk hangs.',
      conditions: [{ severity: 'critical', for: '1m', expr: `etcd_server_has_leader{${jobs.etcd}} == 0` }],
    },
    {
      name: 'etcdHighNumberOfLeaderChanges',
      owner: 'platform',
      summary: 'etcd elects leaders frequently.',
      description: '{{ $value | humanize }} leader changes in 15 minutes.',
      impact: 'Writes block during each election. The usual cause is the disk or the network of the leader.',
      diagnosis: [
        status,
        disk,
        { check: 'whether heartbeats are late', command: 'journalctl -u etcd-main -n 200 | grep -i heartbeat' },
      ],
      mitigation:
        'Reduce the disk load of the member that lost the leadership, or move other load off its machine. Find the cause before you raise the election timeout.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `max by (cluster, job) (increase(etcd_server_leader_changes_seen_total{${jobs.etcd}}[15m])) >= 4`,
        },
      ],
    },
    {
      name: 'etcdHighNumberOfFailedProposals',
      owner: 'platform',
      summary: 'etcd proposals are failing.',
      description: `{{ $value | humanize }} proposals failed on ${member} in 15 minutes.`,
      impact: 'Clients got errors for these writes: the leader changed, or there is no quorum.',
      diagnosis: [status, journal, disk],
      mitigation: 'See etcdHighNumberOfLeaderChanges or etcdMembersDown, whichever is also firing.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `increase(etcd_server_proposals_failed_total{${jobs.etcd}}[15m]) > 5`,
        },
      ],
    },
    {
      name: 'etcdProposalsPending',
      owner: 'platform',
      summary: 'etcd proposals are piling up.',
      description: `{{ $value }} proposals are pending on ${member}.`,
      impact: 'Writes arrive faster than the disks of a majority can persist them.',
      diagnosis: [disk, auditStep('which clients write the most'), status],
      mitigation:
        'Stop the client that writes the most. Keep events in an etcd of their own. To give the volume more throughput, change the cluster stack.',
      conditions: [{ severity: 'warning', for: '5m', expr: `etcd_server_proposals_pending{${jobs.etcd}} > 100` }],
    },
    {
      name: 'etcdHighFsyncDurations',
      owner: 'platform',
      summary: 'The disk of etcd is slow.',
      description: `The 99th percentile of WAL fsyncs of ${member} is {{ $value | humanizeDuration }}; 10ms is healthy.`,
      impact: 'Every write to the cluster waits for the fsync. Above a second, the leader is lost.',
      diagnosis: [
        disk,
        {
          check: 'whether the volume is at its limit of IOPS or throughput',
          command: 'aws cloudwatch list-metrics --namespace AWS/EBS',
        },
        status,
      ],
      mitigation:
        'Give the volume more IOPS, or move other writers off it. Defragmentation and snapshots also load the disk, for a short time.',
      conditions: (
        [
          ['warning', 0.5],
          ['critical', 1],
        ] as const
      ).map(([severity, seconds]) => ({
        severity,
        for: '10m',
        expr: `${quantileBy(0.99, 'cluster, job, instance', 'etcd_disk_wal_fsync_duration_seconds', jobs.etcd)} > ${seconds}`,
      })),
    },
    {
      name: 'etcdHighCommitDurations',
      owner: 'platform',
      summary: 'Commits to the etcd database are slow.',
      description: `The 99th percentile of backend commits of ${member} is {{ $value | humanizeDuration }}; 25ms is healthy.`,
      impact: 'Reads and writes block during a commit.',
      diagnosis: [disk, status, contents],
      mitigation: `Follow the mitigation of etcdHighFsyncDurations. A large database with many free pages also commits slowly: ${etcdCommands('defrag')}.`,
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, job, instance', 'etcd_disk_backend_commit_duration_seconds', jobs.etcd)} > 0.25`,
        },
      ],
    },
    {
      name: 'etcdSlowApplies',
      owner: 'platform',
      summary: 'etcd applies requests slowly.',
      description: `{{ $value | humanize }} requests/s take more than 100ms to apply on ${member}.`,
      impact: 'Large range requests or an overloaded machine delay every later request.',
      diagnosis: [journal, apiServerMetricStep('which lists bypass the watch cache', 'apiserver_storage_list'), disk],
      mitigation: 'See KubeAPIListsFromEtcd. If nothing is listed, the machine is short of CPU or disk throughput.',
      conditions: [
        { severity: 'warning', for: '10m', expr: `rate(etcd_server_slow_apply_total{${jobs.etcd}}[5m]) > 1` },
      ],
    },
    ...etcdDatabaseAlerts,
    {
      name: 'etcdWatchEventsDelayed',
      owner: 'platform',
      summary: 'Watch events are delayed in etcd.',
      description: `{{ $value }} events are pending on ${member}.`,
      impact: 'The API server, and with it every controller, sees changes late.',
      diagnosis: [
        status,
        {
          check: 'the number of etcd watchers, and how many are behind',
          command: 'curl -s http://NODE:2381/metrics | grep etcd_debugging_mvcc',
        },
        apiServerCpuStep('whether the API server is short of CPU'),
      ],
      mitigation:
        'A client of etcd reads too slowly: the API server, or another one such as a CNI that stores its state there. Find it by its connections, then reduce its load or stop it.',
      conditions: [
        { severity: 'warning', for: '5m', expr: `etcd_debugging_mvcc_pending_events_total{${jobs.etcd}} > 1000` },
      ],
    },
    {
      name: 'etcdSlowWatchers',
      owner: 'platform',
      summary: 'Watchers of etcd are falling behind.',
      description: `{{ $value }} watchers of ${member} are behind.`,
      impact: 'They receive old events in batches, and the watch cache of the API server is stale meanwhile.',
      diagnosis: [status, journal, apiServerCpuStep('whether the API server is short of CPU')],
      mitigation: 'Follow the mitigation of etcdWatchEventsDelayed.',
      conditions: [
        { severity: 'warning', for: '10m', expr: `etcd_debugging_mvcc_slow_watcher_total{${jobs.etcd}} > 5` },
      ],
    },
    {
      name: 'etcdHighNumberOfFailedGRPCRequests',
      owner: 'platform',
      summary: 'gRPC requests to etcd are failing.',
      description: `{{ $value | humanizePercentage }} of {{ $labels.grpc_method }} requests to ${member} fail.`,
      impact: 'The API server retries where it is safe; clients get an error for the rest.',
      diagnosis: [status, journal, readyzStep('the readiness checks of the API server')],
      mitigation: `\`ResourceExhausted\` means a full database: ${etcdCommands('recover')}. \`Unavailable\` and \`DeadlineExceeded\` accompany leader changes and slow disks.`,
      conditions: (
        [
          ['warning', 0.01, '10m'],
          ['critical', 0.05, '5m'],
        ] as const
      ).map(([severity, share, wait]) => {
        const calls = (codes: string): string =>
          `sum by (cluster, job, instance, grpc_service, grpc_method) (rate(grpc_server_handled_total{${jobs.etcd},grpc_type="unary"${codes}}[5m]))`;
        return {
          severity,
          for: wait,
          expr: `${calls(',grpc_code=~"Unknown|FailedPrecondition|ResourceExhausted|Internal|Unavailable|DataLoss|DeadlineExceeded"')} / ${calls('')} > ${share}`,
        };
      }),
    },
  ],
};
