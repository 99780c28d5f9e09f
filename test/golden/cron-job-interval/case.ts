import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'runs every five minutes, whatever the result of the last run',
  expectations: {
    'an interval stays an interval, in an explicit time zone': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ schedule: '@every 5m', timeZone: 'Etc/UTC', concurrencyPolicy: 'Allow' }),
    'a late run starts within its deadline or not at all': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ startingDeadlineSeconds: 90 }),
    'a failed run is not retried, and little history is kept': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        successfulJobsHistoryLimit: 0,
        failedJobsHistoryLimit: 1,
        jobTemplate: { spec: { backoffLimit: 0, ttlSecondsAfterFinished: 600, podReplacementPolicy: 'Failed' } },
      }),
  },
} satisfies GoldenCase;
