import { type AlertGroup } from '../alert';
import { jobs, quantileBy } from '../terms';
import { alike, etcdChecks } from './etcd-checks';
import { etcdDatabaseAlerts } from './etcd-database';

const { status, contents } = etcdChecks;
const journal = { look: 'what the member says', command: 'journalctl -u etcd-main -n 100' };
const disk = { look: 'how busy the disk is', command: 'iostat -x 5 3' };
const member = '{{ $labels.instance }}';

/** etcd itself: members, elections, disk, size. */
export const etcdAlerts: AlertGroup = {
  name: 'etcd',
  alerts: [
    {
      name: 'etcdMembersDown',
      owner: 'platform',
      summary: 'Members of etcd do not answer.',
      description: '{{ $value }} members of {{ $labels.job }} do not answer.',
      means: 'Of three members one may be down, not two. While it is down nothing else may be taken away.',
      checks: [
        status,
        journal,
        {
          look: 'whether the machine is there, with its volume',
          command: 'kubectl get nodes -l node-role.kubernetes.io/control-plane',
        },
      ],
      mend: 'A machine of the cluster stack comes back with its volume by itself. Where the volume is lost, see docs/cluster.md on a lost volume.',
      when: [{ severity: 'warning', for: '5m', expr: `count by (cluster, job) (up{${jobs.etcd}} == 0) > 0` }],
    },
    {
      name: 'etcdInsufficientMembers',
      owner: 'platform',
      summary: 'etcd has no majority.',
      description: 'Only {{ $value }} members of {{ $labels.job }} answer: too few to write.',
      means: 'Nothing can be written, and nothing consistent be read: the API server is not ready.',
      checks: [
        status,
        journal,
        { look: 'which machines of masters run', command: 'aws autoscaling describe-auto-scaling-groups' },
      ],
      mend: 'Bring one of the lost members back with its volume. Only where all volumes of a majority are lost, restore a snapshot: docs/cluster.md.',
      when: [
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
      summary: 'A member of etcd knows no leader.',
      description: `Member ${member} has known no leader for a minute.`,
      means: 'Its API server can neither write nor read consistently.',
      checks: [
        status,
        journal,
        {
          look: 'whether members reach each other on port 2380',
          command: 'ss -tn state established "( sport = :2380 or dport = :2380 )"',
        },
      ],
      mend: 'All members: there is no majority, see etcdInsufficientMembers. One: it is cut off from the others, or its disk hangs.',
      when: [{ severity: 'critical', for: '1m', expr: `etcd_server_has_leader{${jobs.etcd}} == 0` }],
    },
    {
      name: 'etcdHighNumberOfLeaderChanges',
      owner: 'platform',
      summary: 'etcd elects a leader again and again.',
      description: '{{ $value | humanize }} elections in 15 minutes.',
      means: 'Writes wait during each election. It is the disk or the network of a leader.',
      checks: [
        status,
        disk,
        { look: 'whether heartbeats are late', command: 'journalctl -u etcd-main -n 200 | grep -i heartbeat' },
      ],
      mend: 'Relieve the disk of the member that lost leadership, or move its load. Do not raise the election timeout before that is known.',
      when: [
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
      summary: 'Writes find no majority in etcd.',
      description: `{{ $value | humanize }} writes failed on ${member} in 15 minutes.`,
      means: 'Their callers got an error; the leader was lost, or there is no majority.',
      checks: [status, journal, disk],
      mend: 'See etcdHighNumberOfLeaderChanges and etcdMembersDown, whichever fires too.',
      when: [
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
      summary: 'Writes queue up in etcd.',
      description: `{{ $value }} writes wait on ${member}.`,
      means: 'More is written than the disks of a majority take.',
      checks: [
        disk,
        { look: 'who writes so much', command: 'pinion load /var/log/kubernetes/apiserver/audit.log' },
        status,
      ],
      mend: 'Stop the writer; events belong into an etcd of their own. A volume with more throughput is a change of the cluster stack.',
      when: [{ severity: 'warning', for: '5m', expr: `etcd_server_proposals_pending{${jobs.etcd}} > 100` }],
    },
    {
      name: 'etcdHighFsyncDurations',
      owner: 'platform',
      summary: 'The disk of etcd is slow.',
      description: `99% of writes to the log of ${member} take up to {{ $value | humanizeDuration }}; 10ms is right.`,
      means: 'Every write of the cluster waits for it. Beyond a second leaders are lost.',
      checks: [
        disk,
        {
          look: 'whether the volume is at its bound of IOPS or throughput',
          command: 'aws cloudwatch list-metrics --namespace AWS/EBS',
        },
        status,
      ],
      mend: 'Give the volume more IOPS, or take away what else writes to it. Defragmentation and snapshots write too: they pass.',
      when: (
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
      summary: 'Batches take long into the database of etcd.',
      description: `99% of commits of ${member} take up to {{ $value | humanizeDuration }}; 25ms is right.`,
      means: 'Reads and writes wait meanwhile.',
      checks: [disk, status, contents],
      mend: `As for etcdHighFsyncDurations. A large database with many free pages commits slowly: ${alike('defrag')}.`,
      when: [
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
      summary: 'etcd carries out requests slowly.',
      description: `{{ $value | humanize }} requests a second take more than 100ms on ${member}.`,
      means: 'Large lists or a busy machine hold up all that come after.',
      checks: [
        journal,
        {
          look: 'who lists without the watch cache',
          command: 'kubectl get --raw /metrics | grep apiserver_storage_list',
        },
        disk,
      ],
      mend: 'See KubeAPIListsFromEtcd. Where nothing is listed, the machine is short of CPU or disk.',
      when: [{ severity: 'warning', for: '10m', expr: `rate(etcd_server_slow_apply_total{${jobs.etcd}}[5m]) > 1` }],
    },
    ...etcdDatabaseAlerts,
    {
      name: 'etcdWatchEventsDelayed',
      owner: 'platform',
      summary: 'Watch events are delayed in etcd.',
      description: `{{ $value }} events wait on ${member}.`,
      means: 'The API server, and with it every controller, sees changes late.',
      checks: [
        status,
        {
          look: 'how many watch etcd, and how many of them lag',
          command: 'curl -s http://MASTER:2381/metrics | grep etcd_debugging_mvcc',
        },
        { look: 'whether the API server is short of CPU', command: 'pinion profile apiserver --cpu' },
      ],
      mend: 'Who reads too slowly is the API server or another client of etcd, such as a CNI with its store there: find it by its connections, and relieve or stop it.',
      when: [{ severity: 'warning', for: '5m', expr: `etcd_debugging_mvcc_pending_events_total{${jobs.etcd}} > 1000` }],
    },
    {
      name: 'etcdSlowWatchers',
      owner: 'platform',
      summary: 'Watchers of etcd lag behind.',
      description: `{{ $value }} watchers of ${member} lag behind.`,
      means: 'They get old events in batches; the watch cache of the API server is stale meanwhile.',
      checks: [
        status,
        journal,
        { look: 'whether the API server is short of CPU', command: 'pinion profile apiserver --cpu' },
      ],
      mend: 'As for etcdWatchEventsDelayed.',
      when: [{ severity: 'warning', for: '10m', expr: `etcd_debugging_mvcc_slow_watcher_total{${jobs.etcd}} > 5` }],
    },
    {
      name: 'etcdHighNumberOfFailedGRPCRequests',
      owner: 'platform',
      summary: 'Calls to etcd fail.',
      description: `{{ $value | humanizePercentage }} of calls of {{ $labels.grpc_method }} to ${member} fail.`,
      means: 'The API server tries again where it may; the rest comes back to clients as errors.',
      checks: [status, journal, { look: 'what the API server says', command: "kubectl get --raw '/readyz?verbose'" }],
      mend: `\`ResourceExhausted\` is a full database: ${alike('recover')}. \`Unavailable\` and \`DeadlineExceeded\` go with lost leaders and slow disks.`,
      when: (
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
