import { type Alert } from '../alert';
import { jobs } from '../terms';
import { alike, etcdChecks } from './etcd-checks';

const { status, contents } = etcdChecks;
const member = '{{ $labels.instance }}';
const grown = `Stop the writer that the contents name. ${alike('compact', 'defrag')} give back what only history holds; after a space alarm \`pinion etcd recover\` does all of it in the right order.`;

/** The database of etcd: its room, and how fast it goes. */
export const etcdDatabaseAlerts: readonly Alert[] = [
  {
    name: 'etcdDatabaseQuotaLowSpace',
    owner: 'platform',
    summary: 'The database of etcd fills up.',
    description: `The database of ${member} has reached {{ $value | humanizePercentage }} of its quota.`,
    means: 'At the quota every write is refused, deletions too, until somebody makes room and disarms the alarm.',
    checks: [
      contents,
      status,
      { look: 'how fast it grows', command: 'kubectl get --raw /metrics | grep apiserver_storage_size_bytes' },
    ],
    mend: grown,
    when: (
      [
        ['info', 0.6],
        ['warning', 0.8],
        ['critical', 0.95],
      ] as const
    ).map(([severity, share]) => ({
      severity,
      for: '5m',
      expr: `instance:etcd_database_quota:ratio > ${share}`,
    })),
  },
  {
    name: 'etcdDatabaseGrowthFast',
    owner: 'platform',
    summary: 'The database of etcd is full within half an hour at this rate.',
    description: `At the rate of the last 10 minutes the database of ${member} is full in {{ $value | humanizeDuration }}.`,
    means: 'A storm of writes: each version of an object is kept whole until it is compacted, five to ten minutes.',
    checks: [
      { look: 'who writes so much', command: 'pinion load /var/log/kubernetes/apiserver/audit.log' },
      contents,
      status,
    ],
    mend: `Scale the writer to zero or take its rights, now. ${grown}`,
    when: [
      {
        severity: 'critical',
        for: '2m',
        expr: 'instance:etcd_database_seconds_to_quota:deriv10m < 1800 and on (job, instance) instance:etcd_database_quota:ratio > 0.2',
      },
    ],
  },
  {
    name: 'etcdExcessiveDatabaseGrowth',
    owner: 'platform',
    summary: 'The database of etcd is full within hours at this rate.',
    description: `At the rate of the last 4 hours the database of ${member} is full in {{ $value | humanizeDuration }}.`,
    means: 'There is time to find out what grows.',
    checks: [
      { look: 'what grew between two snapshots', command: 'pinion etcd diff EARLIER.db LATER.db' },
      contents,
      { look: 'how many objects there are', command: 'kubectl get --raw /metrics | grep apiserver_resource_objects' },
    ],
    mend: grown,
    when: [
      {
        severity: 'warning',
        for: '10m',
        expr: 'instance:etcd_database_seconds_to_quota:deriv4h < 4 * 3600 and on (job, instance) instance:etcd_database_quota:ratio > 0.2',
      },
    ],
  },
  {
    name: 'etcdDatabaseHighFragmentationRatio',
    owner: 'platform',
    summary: 'Less than half of the database file of etcd is in use.',
    description: `{{ $value | humanizePercentage }} of the database file of ${member} is in use.`,
    means: 'The rest counts against the quota all the same, and only defragmentation gives it back.',
    checks: [
      status,
      contents,
      {
        look: 'whether a storm of writes went before: the file keeps its peak',
        command: 'pinion etcd diff EARLIER.db LATER.db',
      },
    ],
    mend: `${alike('defrag')}: one member at a time, the leader last.`,
    when: [
      {
        severity: 'warning',
        for: '10m',
        expr: `last_over_time(etcd_mvcc_db_total_size_in_use_in_bytes{${jobs.etcd}}[5m]) / last_over_time(etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}[5m]) < 0.5 and etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}} > 104857600`,
      },
    ],
  },
];
