/**
 * A nightly backup: pg_dump writes the orders database to an existing volume, in a file named after the day. Schedule and
 * durations are cdk8s types, the password comes from a Secret, and a run that hangs is terminated before the morning.
 */
import { Chart, Cron, Duration } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestCronJob } from '@pinion-platform/pinion';

const dump = 'pg_dump --format=custom --file="/backups/orders-$(date -u +%F).dump"';

/** Adds a chart with the backup. */
export function nightly(scope: Construct): Chart {
  const chart = new Chart(scope, 'nightly');
  new PinterestCronJob(chart, 'orders-backup', {
    project: 'orders',
    tier: 'batch',
    schedule: Cron.schedule({ minute: '30', hour: '2' }),
    timeZone: 'Europe/Berlin',
    concurrencyPolicy: 'Forbid',
    startingDeadline: Duration.hours(1),
    activeDeadline: Duration.hours(3),
    expectedDuration: Duration.minutes(20),
    retries: 1,
    history: { successful: 7, failed: 7 },
    secrets: { env: { PGPASSWORD: { name: 'orders-database', key: 'password' } } },
    config: { env: { PGHOST: 'orders-database', PGUSER: 'backup', PGDATABASE: 'orders' } },
    template: {
      spec: {
        securityContext: { runAsUser: 70, runAsGroup: 70, fsGroup: 70 },
        containers: [
          {
            name: 'dump',
            image: 'docker.io/library/postgres:17.5-alpine',
            command: ['sh', '-ec', dump],
            volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
            resources: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '512Mi' } },
          },
        ],
        volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'orders-backups' } }],
      },
    },
  });
  return chart;
}
