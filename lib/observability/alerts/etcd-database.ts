import { type Alert } from './alert';
import { jobs } from '../promql';
import { apiServerMetricStep, auditStep, etcdCommands, etcdContentsStep, etcdStatusStep } from './diagnosis-steps';

const status = etcdStatusStep();
const contents = etcdContentsStep();
const member = '{{ $labels.instance }}';
const reclaimSpace = `Stop the client that writes the most. ${etcdCommands('compact', 'defrag')} reclaim the space of old versions; after a space alarm, \`pinion etcd recover\` runs all steps in the right order.`;

/** Alerts on the size of the etcd database and its growth. */
export const etcdDatabaseAlerts: readonly Alert[] = [
  {
    name: 'etcdDatabaseQuotaLowSpace',
    owner: 'platform',
    summary: 'The etcd database is close to its quota.',
    description: `The database of ${member} uses {{ $value | humanizePercentage }} of its quota.`,
    impact:
      'At the quota, etcd rejects every write, deletions included, until space is reclaimed and the alarm is disarmed.',
    diagnosis: [contents, status, apiServerMetricStep('the growth of the database', 'apiserver_storage_size_bytes')],
    mitigation: reclaimSpace,
    conditions: (
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
    summary: 'The etcd database is predicted to fill up within 30 minutes.',
    description: `At the growth rate of the last 10 minutes, the database of ${member} is full in {{ $value | humanizeDuration }}.`,
    impact:
      'A burst of writes: every version of an object is stored in full until compaction, five to ten minutes later.',
    diagnosis: [auditStep('which clients write the most'), contents, status],
    mitigation: `Scale the writer to zero or revoke its permissions now. ${reclaimSpace}`,
    conditions: [
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
    summary: 'The etcd database is predicted to fill up within hours.',
    description: `At the growth rate of the last 4 hours, the database of ${member} is full in {{ $value | humanizeDuration }}.`,
    impact: 'There is time to find out what grows before writes are rejected.',
    diagnosis: [
      { check: 'the growth between two snapshots', command: 'pinion etcd diff EARLIER.db LATER.db' },
      contents,
      apiServerMetricStep('the number of objects', 'apiserver_resource_objects'),
    ],
    mitigation: reclaimSpace,
    conditions: [
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
    summary: 'Less than half of the etcd database file is in use.',
    description: `{{ $value | humanizePercentage }} of the database file of ${member} is in use.`,
    impact: 'Unused pages still count against the quota; only defragmentation returns them.',
    diagnosis: [
      status,
      contents,
      {
        check: 'whether a burst of writes preceded: the file keeps its peak size',
        command: 'pinion etcd diff EARLIER.db LATER.db',
      },
    ],
    mitigation: `Run ${etcdCommands('defrag')}: one member at a time, the leader last.`,
    conditions: [
      {
        severity: 'warning',
        for: '10m',
        expr: `last_over_time(etcd_mvcc_db_total_size_in_use_in_bytes{${jobs.etcd}}[5m]) / last_over_time(etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}}[5m]) < 0.5 and etcd_mvcc_db_total_size_in_bytes{${jobs.etcd}} > 104857600`,
      },
    ],
  },
];
