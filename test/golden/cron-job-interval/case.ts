import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'runs every five minutes, whatever became of the last',
  expectations: {
    'an interval stays an interval, in a zone that is said': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ schedule: '@every 5m', timeZone: 'Etc/UTC', concurrencyPolicy: 'Allow' }),
    'a late run starts within its deadline or not at all': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ startingDeadlineSeconds: 90 }),
    'a failed run is not tried again, and nothing is kept for long': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        successfulJobsHistoryLimit: 0,
        failedJobsHistoryLimit: 1,
        jobTemplate: { spec: { backoffLimit: 0, ttlSecondsAfterFinished: 600, podReplacementPolicy: 'Failed' } },
      }),
  },
} satisfies GoldenCase;
